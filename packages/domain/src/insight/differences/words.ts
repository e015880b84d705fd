import { diffArrays } from 'diff'

/** Words that were removed (-1), kept (0) or added (1). */
export type Part = [kind: -1 | 0 | 1, words: string]

/** Longer texts are compared as a whole, apart from their common beginning and end. */
const maxWords = 20_000

/**
 * The total steps that all comparisons of an answer may take: the work grows with the square of the number of differing
 * words, and texts may be crafted to differ a lot (trust 1).
 */
export class Effort {
  #steps = 160_000

  /** Maximum number of differing words that a comparison may find. */
  get maxEdits(): number {
    return Math.floor(Math.sqrt(this.#steps))
  }

  spend(edits: number): void {
    this.#steps = Math.max(0, this.#steps - edits * edits)
  }
}

/** Words, white space and punctuation, which together make up the text. */
const pieces = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []

/** The differences between two texts, word by word; as a whole if that would take too long. */
export function wordParts(old: string, now: string, effort: Effort): Part[] {
  const [before, after] = [pieces(old), pieces(now)]
  const begin = alike(before.length, after.length, index => before[index] === after[index])
  const room = Math.min(before.length, after.length) - begin
  const end = alike(room, room, index => before.at(-1 - index) === after.at(-1 - index))
  const removed = before.slice(begin, before.length - end)
  const added = after.slice(begin, after.length - end)
  return joined([
    [0, before.slice(0, begin).join('')],
    ...between(removed, added, effort),
    [0, before.slice(before.length - end).join('')],
  ])
}

function alike(length: number, other: number, same: (index: number) => boolean): number {
  const max = Math.min(length, other)
  let index = 0
  while (index < max && same(index)) index++
  return index
}

function between(before: readonly string[], after: readonly string[], effort: Effort): Part[] {
  const asWhole: Part[] = [
    [-1, before.join('')],
    [1, after.join('')],
  ]
  if (before.length === 0 || after.length === 0 || before.length + after.length > maxWords) return asWhole
  const maxEditLength = effort.maxEdits
  const changes = diffArrays([...before], [...after], { maxEditLength })
  const edits = changes?.reduce((sum, { added, removed, count }) => sum + (added || removed ? count : 0), 0)
  effort.spend(edits ?? maxEditLength)
  return changes?.map(({ added, removed, value }) => [removed ? -1 : added ? 1 : 0, value.join('')]) ?? asWhole
}

/** Adjacent parts of one kind merged into one, without empty parts. */
function joined(parts: readonly Part[]): Part[] {
  const result: Part[] = []
  for (const [kind, words] of parts) {
    const last = result.at(-1)
    if (words === '') continue
    if (last?.[0] === kind) last[1] += words
    else result.push([kind, words])
  }
  return result
}
