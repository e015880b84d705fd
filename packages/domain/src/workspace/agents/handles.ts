import { blocked } from '../../kernel/errors.ts'
import { handleStem } from '../../lib/handle.ts'
import { freeKey } from '../../lib/reference.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'

/** The character that follows every digit: the end of the range of handles with one stem and a number. */
const afterNumbers = ':'

const handlesFrom = hot<{ from: string; to: string }, { handle: string | null }>((db, param) =>
  db.selectFrom('agents').select('handle').where('handle', '>=', param('from')).where('handle', '<', param('to')),
)

/** The default handle of a principal: derived from its name, and free (people 1.1). */
export async function derivedHandle(db: Db, name: string): Promise<string> {
  const stem = handleStem(name)
  const rows = await handlesFrom(db, { from: stem, to: stem + afterNumbers })
  return freeKey(stem, new Set(rows.flatMap(({ handle }) => handle ?? [])))
}

const byHandle = hot<{ handle: string }, { id: string }>((db, param) =>
  db.selectFrom('agents').select('id').where('handle', '=', param('handle')),
)

/**
 * Refuses a handle that another principal has.
 * @throws DomainError HANDLE_TAKEN
 */
export async function refuseTaken(db: Db, handle: string, id: string | undefined): Promise<void> {
  const [other] = await byHandle(db, { handle })
  if (other !== undefined && other.id !== id)
    throw blocked('HANDLE_TAKEN', `Somebody else has the handle ${handle}. Choose another, or leave it out.`, {
      handle,
    })
}
