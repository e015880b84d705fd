/** Maximum number of characters compared to resolve references into one list (walls 3, rule 4). */
const maxCompared = 20_000_000

/** Whether a text resembles a reference to it. */
export type Resembles = (text: string, reference: string) => boolean

/**
 * Finds the first of some texts that a reference resembles; each reference is compared once. If that would compare more
 * characters than the limit, only equal texts are found: every spec written by the operations references its texts
 * exactly.
 */
export function firstResembling(
  texts: readonly string[],
  resembles: Resembles,
): (reference: string) => number | undefined {
  const equal = new Map(texts.map((text, place) => [text, place] as const).toReversed())
  const found = new Map<string, number | undefined>()
  let compared = 0
  const find = (reference: string): number | undefined => {
    for (const [place, text] of texts.entries()) {
      compared += text.length + reference.length
      if (compared > maxCompared) return equal.get(reference)
      if (resembles(text, reference)) return place
    }
    return undefined
  }
  return reference => {
    if (!found.has(reference)) found.set(reference, find(reference))
    return found.get(reference)
  }
}
