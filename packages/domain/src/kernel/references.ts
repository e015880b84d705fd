import { type Counter, groupOf } from '@specboard/storage'
import type { Db } from '../schema/database.ts'
import { hot } from '../schema/hot.ts'

/** The number of a board's last record, counted in the board's row: one count for all kinds. */
const lastNumber: Counter = {
  read: 'select last_number as value from boards where id = ?',
  write: 'update boards set last_number = ? where id = ?',
}

const keyById = hot<{ id: string }, { key: string }>((db, param) =>
  db.selectFrom('boards').select('key').where('id', '=', param('id')),
)

/** The reference of a board's next record. Its number is used even when the record is deleted again (work 1). */
export async function nextRef(db: Db, boardId: string): Promise<string> {
  const [board] = await keyById(db, { id: boardId })
  return `${board!.key}-${groupOf(db).next(lastNumber, boardId)}`
}
