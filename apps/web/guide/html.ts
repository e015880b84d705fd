const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A text escaped for HTML, including attribute values. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, sign => entities[sign]!)
