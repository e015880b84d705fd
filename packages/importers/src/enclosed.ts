/** Pairs of lines between which nothing is a heading: fenced code, marked regions. */

/** The properties of a line that opens or closes a pair. */
export interface Mark {
  /** Only a line with the same name closes a pair. */
  readonly name: string
  /** A line of at least this size closes the pair. */
  readonly size: number
}

/** How to recognise the lines of a pair. */
export interface Enclosing {
  opening(line: string): Mark | undefined
  closing(line: string): Mark | undefined
}

/** Fenced code. A fence that is never closed is text. */
export const fences: Enclosing = {
  opening(line) {
    const [, fence] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    return fence === undefined ? undefined : { name: fence[0]!, size: fence.length }
  },
  closing(line) {
    const fence = line.trim()
    const isFence = fence.length >= 3 && '`~'.includes(fence[0]!) && fence.replaceAll(fence[0]!, '') === ''
    return isFence ? { name: fence[0]!, size: fence.length } : undefined
  },
}

const comment = { name: '<!--', size: 0 }

/** HTML comments of several lines. */
export const comments: Enclosing = {
  opening: line => (line.trimStart().startsWith('<!--') && !line.includes('-->') ? comment : undefined),
  closing: line => (line.includes('-->') ? comment : undefined),
}

/** A line that may close a pair. */
interface Closing {
  readonly at: number
  readonly size: number
  /** The largest size with its name from here on. */
  readonly largest: number
}

/** Finds the closing line of each opening one, in linear time. */
export class Closings {
  readonly #pairs: readonly { readonly pair: Enclosing; readonly byName: ReadonlyMap<string, readonly Closing[]> }[]

  constructor(lines: readonly string[], pairs: readonly Enclosing[]) {
    this.#pairs = pairs.map(pair => ({ pair, byName: closingsOf(lines, pair) }))
  }

  /** The line that closes an opening line; -1 if it opens nothing, or is never closed. */
  of(line: string, at: number): number {
    for (const { pair, byName } of this.#pairs) {
      const opening = pair.opening(line)
      if (opening !== undefined) return closes(byName.get(opening.name) ?? [], opening.size, at)
    }
    return -1
  }
}

function closingsOf(lines: readonly string[], pair: Enclosing): Map<string, Closing[]> {
  const byName = new Map<string, Closing[]>()
  for (let at = lines.length - 1; at >= 0; at--) {
    const mark = pair.closing(lines[at]!)
    if (mark === undefined) continue
    const later = byName.get(mark.name) ?? []
    byName.set(mark.name, later)
    later.push({ at, size: mark.size, largest: Math.max(mark.size, later.at(-1)?.largest ?? 0) })
  }
  return byName
}

/** @param closings the last one first */
function closes(closings: readonly Closing[], size: number, at: number): number {
  let [from, to] = [0, closings.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (closings[middle]!.at > at) from = middle + 1
    else to = middle
  }
  if ((closings[from - 1]?.largest ?? -1) < size) return -1
  let next = from - 1
  while (closings[next]!.size < size) next--
  return closings[next]!.at
}
