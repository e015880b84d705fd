/** The gates that cards are exempt from (evidence 8, rule 5). */
import type { WaivedGate } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { z } from 'zod'
import { parseJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { onBoard } from '../../schema/same-board.ts'
import type { CardWaiversTable } from '../../schema/tables.ts'

/** A gate that a card can be exempt from. */
export type Waivable = z.output<typeof WaivedGate>

const byCard = hot<{ card: string }, CardWaiversTable>((db, param) =>
  db.selectFrom('card_waivers').selectAll().where('card_id', '=', param('card')),
)

/** The stored waiver of a card; undefined if it has none. */
export const waiverOf = async (db: Db, card: string): Promise<CardWaiversTable | undefined> =>
  (await byCard(db, { card }))[0]

/** The gates that a waiver exempts from; an imported waiver exempts from none (walls 5). */
export const gatesOf = (waiver: CardWaiversTable | undefined): readonly Waivable[] =>
  waiver === undefined || waiver.is_imported === 1 ? [] : parseJson(waiver.gates)

/** The gates that a card is exempt from. */
export const waivedGates = async (db: Db, card: string): Promise<readonly Waivable[]> =>
  gatesOf(await waiverOf(db, card))

const byCards = hot<{ board: string; cards: string }, Pick<CardWaiversTable, 'card_id' | 'gates'>>((db, param) =>
  db
    .selectFrom('card_waivers')
    .select(['card_id', 'gates'])
    .where('is_imported', '=', 0)
    .where(eb => dialect.inList(eb.ref('card_id'), sql`${param('cards')}`))
    .where(onBoard('card_waivers', param('board'))),
)

/** The gates that some cards of a board are exempt from, by card id. */
export async function waiversOf(
  db: Db,
  board: string,
  cards: readonly string[],
): Promise<ReadonlyMap<string, readonly Waivable[]>> {
  if (cards.length === 0) return new Map()
  const rows = await byCards(db, { board, cards: JSON.stringify(cards) })
  return new Map(rows.map(({ card_id, gates }) => [card_id, parseJson(gates)]))
}

/** Revokes a waiver. */
export async function removeWaiver(db: Db, card: string): Promise<void> {
  await db.deleteFrom('card_waivers').where('card_id', '=', card).execute()
}

/** A waiver as callers see it. */
export const shownWaiver = ({
  gates,
  reason,
  waived_by,
  waived_by_name,
  waived_at,
  is_imported,
}: CardWaiversTable) => ({
  gates: [...parseJson(gates)],
  reason,
  by: waived_by,
  by_name: waived_by_name,
  at: waived_at,
  ...(is_imported === 1 && { imported: true as const }),
})
