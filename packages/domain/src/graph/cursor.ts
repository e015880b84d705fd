import { DomainError } from '../kernel/errors.ts'

/** Where a page ends: the time and id of its last item. */
export interface Place {
  readonly at: string
  readonly id: string
}

/** Before everything in a list of newest first. */
export const start: Place = { at: '\u{10ffff}', id: '' }

/** A place as the opaque text that a client sends back. */
export const cursorOf = ({ at, id }: Place): string => Buffer.from(JSON.stringify([at, id])).toString('base64url')

/**
 * The place of a cursor; null without one. A place stays good when its item is gone.
 * @throws DomainError INVALID_CURSOR
 */
export function placeOf(cursor: string | undefined): Place | null {
  if (cursor === undefined || cursor === '') return null
  try {
    const [at, id, ...more] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    if (typeof at === 'string' && typeof id === 'string' && more.length === 0) return { at, id }
  } catch {
    // Told below, like any other text that is no cursor.
  }
  throw new DomainError('INVALID_CURSOR', 'This cursor cannot be read. Begin again without one.')
}
