import type { LongFields } from '@specboard/contract'
import { InvalidInput } from '../errors.ts'

/**
 * Refuses the over-long fields of an update unless each equals what the record holds, sent back as it was read (trust
 * 1).
 * @param stored the answer of the operation that reads what is updated
 * @throws InvalidInput
 */
export function refuseChanged({ items, sent }: LongFields, stored: unknown): void {
  const record = stored as Readonly<Record<string, unknown>>
  if (!Object.entries(sent).every(([name, value]) => isAsRead(value, record[name]))) throw new InvalidInput(items)
}

/** Whether a value equals the stored one as a caller read it: tools leave out empty members (mcp 9.1). */
export function isAsRead(sent: unknown, stored: unknown): boolean {
  if (sent === stored) return true
  if (!isMembers(sent) || !isMembers(stored) || Array.isArray(sent) !== Array.isArray(stored)) return false
  if (Array.isArray(sent))
    return sent.length === stored.length && sent.every((item, index) => isAsRead(item, stored[index]))
  return (
    Object.keys(sent).every(name => Object.hasOwn(stored, name)) &&
    Object.entries(stored).every(([name, value]) =>
      Object.hasOwn(sent, name) ? isAsRead(sent[name], value) : holdsNothing(value),
    )
  )
}

type Members = Readonly<Record<string | number, unknown>>

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null

/** Whether tools leave out a member with this value. */
const holdsNothing = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (Array.isArray(value) ? value.length === 0 : isMembers(value) && Object.values(value).every(holdsNothing))
