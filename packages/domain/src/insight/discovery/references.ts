import { firstResembling, type Resembles } from '../resembling.ts'

/** The position that an entry gives as a number below `count`; undefined when it does not. */
function indexIn(entry: unknown, count: number): number | undefined {
  const index = typeof entry === 'string' && /^\d+$/.test(entry) ? Number(entry) : entry
  return typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < count ? index : undefined
}

const overlapping: Resembles = (text, entry) => text.includes(entry) || entry.includes(text)
const beginning: Resembles = (text, entry) => text.startsWith(entry) || entry.startsWith(text)

/** Finds the position of the text that an entry refers to. */
export type FindText = (entry: unknown) => number | undefined

function resolving(texts: readonly string[], resembles: Resembles): FindText {
  const resembling = firstResembling(texts, resembles)
  return entry => {
    const index = indexIn(entry, texts.length)
    return index !== undefined || typeof entry !== 'string' || entry === '' ? index : resembling(entry)
  }
}

/**
 * Finds the requirement that an entry of `linked_requirements` refers to (planning 4.2): the one with that number, or the
 * first that contains the entry or is contained in it.
 */
export const requirementsOf = (requirements: readonly string[]): FindText => resolving(requirements, overlapping)

/**
 * Finds the criterion that an entry of `linked_criteria` refers to (planning 4.2): the one with that number, or the first
 * that equals the entry, begins with it or is its beginning.
 */
export const criteriaOf = (criteria: readonly string[]): FindText => resolving(criteria, beginning)

/** The positions of the texts that no entry refers to. */
export function uncovered(
  texts: readonly string[],
  entries: readonly unknown[],
  find: (texts: readonly string[]) => FindText,
): number[] {
  const covered = new Set(entries.map(find(texts)))
  return [...texts.keys()].filter(index => !covered.has(index))
}
