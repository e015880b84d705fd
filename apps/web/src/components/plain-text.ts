/** Marks of Markdown at the beginning of a line: of headings, quotations and lists. */
const ofLines = /^ {0,3}(?:#{1,6}|>|[-*+]|\d{1,9}[.)]) /gm

/** Marks within a line: of bold text, code and struck text. */
const ofWords = /\*\*|~~|`/g

/** The beginning of a Markdown text without its formatting, for places with little room. */
export const plainText = (markdown: string): string => markdown.replaceAll(ofLines, '').replaceAll(ofWords, '')
