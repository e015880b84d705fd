/** The position that an entry gives as a number below `count`; undefined when it does not. */
function indexIn(entry: unknown, count: number): number | undefined {
  const index = typeof entry === 'string' && /^\d+$/.test(entry) ? Number(entry) : entry
  return typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < count ? index : undefined
}

/** Whether a text matches an entry that is not a number. */
type Fits = (text: string, entry: string) => boolean

const overlapping: Fits = (text, entry) => text.includes(entry) || entry.includes(text)
const beginning: Fits = (text, entry) => text.startsWith(entry) || entry.startsWith(text)

function resolved(texts: readonly string[], entry: unknown, fits: Fits): number | undefined {
  const index = indexIn(entry, texts.length)
  if (index !== undefined || typeof entry !== 'string' || entry === '') return index
  const found = texts.findIndex(text => fits(text, entry))
  return found === -1 ? undefined : found
}

/**
 * The requirement that an entry of `linked_requirements` refers to (planning 4.2): the one with that number, or the
 * first that contains the entry or is contained in it.
 */
export const requirementOf = (requirements: readonly string[], entry: unknown): number | undefined =>
  resolved(requirements, entry, overlapping)

/**
 * The criterion that an entry of `linked_criteria` refers to (planning 4.2): the one with that number, or the first
 * that equals the entry, begins with it or is its beginning.
 */
export const criterionOf = (criteria: readonly string[], entry: unknown): number | undefined =>
  resolved(criteria, entry, beginning)

/** The positions of the texts that no entry refers to. */
export function uncovered(
  texts: readonly string[],
  entries: readonly unknown[],
  find: (texts: readonly string[], entry: unknown) => number | undefined,
): number[] {
  const covered = new Set(entries.map(entry => find(texts, entry)))
  return [...texts.keys()].filter(index => !covered.has(index))
}
