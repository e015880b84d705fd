import { notFound } from '../../kernel/errors.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { refOf } from '../../schema/refs.ts'
import { type CardRecord, type CardRow, recordOf } from './record.ts'

const recordById = hot<{ id: string }, CardRow>((db, param) =>
  db.selectFrom('cards').selectAll().select(refOf('cards').as('ref')).where('id', '=', param('id')),
)

/** A card's own fields. */
export async function readCard(db: Db, id: string): Promise<CardRecord> {
  const [row] = await recordById(db, { id })
  if (row === undefined) throw notFound('card', id)
  return recordOf(row)
}

/** A card's own fields; undefined when it does not exist. */
export async function findCard(db: Db, id: string): Promise<CardRecord | undefined> {
  const [row] = await recordById(db, { id })
  return row === undefined ? undefined : recordOf(row)
}
