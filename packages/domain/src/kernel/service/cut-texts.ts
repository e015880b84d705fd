import { cutBeginning, cutText, type IssueItem } from '@specboard/contract'
import { InvalidInput } from '../errors.ts'

type Members = Readonly<Record<string, unknown>>

/** Whether a body contains a text that may have been truncated when it was read (crew 1.5). */
export const mayBeCut = (body: unknown): boolean => {
  if (typeof body === 'string') return cutBeginning(body) !== undefined
  return typeof body === 'object' && body !== null && Object.values(body).some(mayBeCut)
}

/**
 * Refuses texts that end with a truncation mark and begin like a stored text of their field: the rest would be lost.
 * @throws InvalidInput
 */
export function refuseCutTexts(body: unknown, stored: Members): void {
  const faults = Object.entries((body ?? {}) as Members).flatMap(([field, value]) =>
    cutIn(value, ['body', field], textsIn(stored[field])),
  )
  if (faults.length > 0) throw new InvalidInput(faults)
}

function cutIn(value: unknown, loc: readonly (string | number)[], stored: readonly string[]): IssueItem[] {
  if (typeof value === 'string') {
    const beginning = cutBeginning(value)
    const isCut = beginning !== undefined && !stored.includes(value) && stored.some(text => text.startsWith(beginning))
    return isCut ? [cutText(loc)] : []
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => cutIn(item, [...loc, index], stored))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => cutIn(member, [...loc, name], stored))
}

/** The texts of a value, at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
