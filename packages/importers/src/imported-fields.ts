/** The text of a knowledge entry "Imported fields" (exchange 2). */

/** A field of a source without a counterpart in the record. */
export interface KeptField {
  readonly name: string
  readonly value: unknown
}

/** Whether a value is empty: such a field is not kept. */
export const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.every(isEmpty)) ||
  (typeof value === 'object' && !Array.isArray(value) && Object.values(value).every(isEmpty))

/** The fields as Markdown: single-line values in one line each, others below headings of their own. */
export const importedFields = (fields: readonly KeptField[]): string => fields.map(field => shown(field)).join('\n\n')

function shown({ name, value }: KeptField): string {
  const text = textOf(value)
  return text.includes('\n') ? `## ${name}\n\n${text}` : `**${name}**: ${text}`
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value) && value.every(element => typeof element === 'string'))
    return value.length === 1 ? value[0]! : value.map(element => `- ${element}`).join('\n')
  return typeof value === 'object' ? `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`` : String(value)
}
