import { blocked } from '../../kernel/errors.ts'
import { freeKey, keyStem } from '../../lib/reference.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { insertRow } from '../../schema/rows.ts'
import type { BoardsTable } from '../../schema/tables.ts'

/** The character that follows every digit and letter of a key: the end of the range of keys with one stem. */
const afterKeys = '['

const keysFrom = hot<{ from: string; to: string }, { key: string }>((db, param) =>
  db.selectFrom('boards').select('key').where('key', '>=', param('from')).where('key', '<', param('to')),
)

/** The default key of a board: derived from its name, and free (work 1). */
export async function derivedKey(db: Db, name: string): Promise<string> {
  const stem = keyStem(name)
  const rows = await keysFrom(db, { from: stem, to: stem + afterKeys })
  return freeKey(stem, new Set(rows.map(({ key }) => key)))
}

const boardByKey = hot<{ key: string }, { id: string }>((db, param) =>
  db.selectFrom('boards').select('id').where('key', '=', param('key')),
)

const forgetFormer = hot<{ key: string }, never>((db, param) =>
  db.deleteFrom('former_board_keys').where('key', '=', param('key')),
)

/** Whether another board has a key. */
export async function isKeyTaken(db: Db, key: string, boardId: string): Promise<boolean> {
  const [board] = await boardByKey(db, { key })
  return board !== undefined && board.id !== boardId
}

/**
 * Takes a key for a board. References to a board that had the key before stop working (work 1).
 * @throws DomainError KEY_TAKEN when another board has it
 */
export async function takeKey(db: Db, key: string, boardId: string): Promise<void> {
  if (await isKeyTaken(db, key, boardId))
    throw blocked('KEY_TAKEN', `Another board has the key ${key}. Choose another key, or leave it out.`, { key })
  await forgetFormer(db, { key })
}

/**
 * Takes another key for a board and keeps its current one, so that old references remain valid (work 1).
 * @throws DomainError KEY_TAKEN
 */
export async function changeKey(db: Db, board: Pick<BoardsTable, 'id' | 'key'>, key: string): Promise<void> {
  await takeKey(db, key, board.id)
  await insertRow(db, 'former_board_keys', { key: board.key, board_id: board.id })
}
