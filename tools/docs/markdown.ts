/** The text of a table cell, with pipes escaped. */
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** A table in Markdown. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(row => `| ${row.map(cell).join(' | ')} |`).join('\n')

/** A block of code in Markdown. */
export const fenced = (language: string, lines: readonly string[]): string =>
  [`\`\`\`${language}`, ...lines, '```'].join('\n')

/** A Mermaid diagram in Markdown. */
export const mermaid = (lines: readonly string[]): string => fenced('mermaid', lines)
