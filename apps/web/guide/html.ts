const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A text as HTML shows it, in an attribute too. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, sign => entities[sign]!)
