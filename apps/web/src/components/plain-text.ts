/** Marks of Markdown at the beginning of a line: of headings, quotations and lists. */
const ofLines = /^ {0,3}(?:#{1,6}|>|[-*+]|\d{1,9}[.)]) /gm

/** Marks within a line: of bold text, code and struck text. */
const ofWords = /\*\*|~~|`/g

/** The beginning of a text that somebody wrote as Markdown, to be read where there is no room for its form. */
export const plainText = (markdown: string): string => markdown.replaceAll(ofLines, '').replaceAll(ofWords, '')
