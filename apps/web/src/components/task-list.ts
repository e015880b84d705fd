import { type Box, read } from './markdown-html.ts'

/** The start of a line that may be an item of a task list, up to its box. */
const itemStart = /^((?:[\s>]|[-*+]\s|\d{1,9}[.)]\s)*)\[([ xX])\]/

/** The box at an index among the task lists of a text. */
export const boxAt = (text: string, place: number): Box | undefined => read(text).boxes[place]

/** A line with its box toggled. */
const turned = (line: string): string =>
  line.replace(itemStart, (_, start: string, mark: string) => `${start}[${mark === ' ' ? 'x' : ' '}]`)

/**
 * A text with one box of its task lists toggled; only the line of the box differs.
 * @returns undefined if there is no such box
 */
export function withBoxTurned(text: string, place: number): string | undefined {
  const { boxes } = read(text)
  if (boxes[place] === undefined) return undefined
  const expected = boxes.map(({ isTicked }, index) => isTicked !== (index === place)).join()
  const lines = text.split('\n')
  const items = lines.flatMap((line, index) => (itemStart.test(line) ? [index] : []))
  // Usually it is the item with the same index, but code may contain lines that look like items. The rendered list
  // decides.
  for (const index of [items[place], ...items]) {
    if (index === undefined) continue
    const changed = lines.with(index, turned(lines[index]!)).join('\n')
    if (
      read(changed)
        .boxes.map(({ isTicked }) => isTicked)
        .join() === expected
    )
      return changed
  }
  return undefined
}
