/** The text that Enter inserts in a Markdown list, and the position from which it replaces the text up to the caret. */
export interface Continuation {
  readonly from: number
  readonly insert: string
}

const item = /^([ \t]*)([-*+]|(\d{1,9})([.)])) (\[[ xX]\] )?(.*)$/

/**
 * How Enter continues a list: with the next item, or by ending the list if the item is empty.
 * @returns undefined where the line before the caret begins no item
 */
export function continuedList(text: string, caret: number): Continuation | undefined {
  const from = text.lastIndexOf('\n', caret - 1) + 1
  const found = item.exec(text.slice(from, caret))
  if (found === null) return undefined
  const [, indent = '', mark = '', number, point = '', box, said = ''] = found
  if (said.trim() === '') return { from, insert: '' }
  const next = number === undefined ? mark : `${Number(number) + 1}${point}`
  return { from: caret, insert: `\n${indent}${next} ${box === undefined ? '' : '[ ] '}` }
}
