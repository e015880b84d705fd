import { DomainError } from '../kernel/errors.ts'

/** Where a page ends: the time and the id of its last item. */
export interface PageEnd {
  readonly at: string
  readonly id: string
}

/** The place before the first item of a list that is sorted newest first. */
export const start: PageEnd = { at: '\u{10ffff}', id: '' }

/** A place as an opaque string for the client to send back. */
export const cursorOf = ({ at, id }: PageEnd): string => Buffer.from(JSON.stringify([at, id])).toString('base64url')

/**
 * The place of a cursor; null when there is none. A place stays valid when its item is deleted.
 * @throws DomainError INVALID_CURSOR
 */
export function placeOf(cursor: string | undefined): PageEnd | null {
  if (cursor === undefined || cursor === '') return null
  try {
    const [at, id, ...more] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    if (typeof at === 'string' && typeof id === 'string' && more.length === 0) return { at, id }
  } catch {
    // Refused below, like any other text that is not a cursor.
  }
  throw new DomainError('INVALID_CURSOR', 'This cursor is invalid. Start again without a cursor.')
}
