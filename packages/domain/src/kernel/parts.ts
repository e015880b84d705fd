/** The numbers of parts of records: counted for each record and letter, and never reused (crew 8.2). */
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Db } from '../schema/database.ts'
import type { PartLetter } from '../schema/tables.ts'
import { refsOn } from './references.ts'

/** The record whose parts are counted. */
export interface PartOwner {
  readonly id: string
  readonly board: string
}

const counted = (db: Db, { id, board }: PartOwner, letter: PartLetter, first: number, then: ReturnType<typeof sql>) =>
  sql<{ last: number }>`insert into part_numbers (owner_id, letter, board_id, last)
    values (${id}, ${letter}, ${board}, ${first})
    on conflict (${dialect.keyOnBoard(['owner_id', 'letter'])}) do update set last = ${then} returning last`.execute(db)

/** The number of the next part of a record. */
export async function nextPart(db: Db, owner: PartOwner, letter: PartLetter): Promise<number> {
  const { rows } = await counted(db, owner, letter, 1, sql`part_numbers.last + 1`)
  return Number(rows[0]!.last)
}

/** Advances the counter of a record's parts past the number of an incoming part. */
export async function raisePart(db: Db, owner: PartOwner, letter: PartLetter, min: number): Promise<void> {
  const larger = sql`case when part_numbers.last < ${min} then ${min} else part_numbers.last end`
  await counted(db, owner, letter, min, larger)
}

/** The number and the reference of the next part of a record. */
export async function nextPartRef(db: Db, owner: PartOwner, letter: PartLetter) {
  const number = await nextPart(db, owner, letter)
  const record = (await refsOn(db, owner.board, [owner.id])).get(owner.id)!
  return { number, ref: `${record}.${letter}${number}` }
}
