import { notFound } from '../../kernel/errors.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { CardsTable } from '../../schema/tables.ts'
import { type CardRecord, recordOf } from './record.ts'

const recordById = hot<{ id: string }, CardsTable>((db, param) =>
  db.selectFrom('cards').selectAll().where('id', '=', param('id')),
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
