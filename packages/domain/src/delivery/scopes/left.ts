import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { parseJson } from '../../lib/json.ts'
import { hot } from '../../schema/hot.ts'
import { onBoard, sameBoard } from '../../schema/same-board.ts'
import type { CardsTable } from '../../schema/tables.ts'
import { commitsOfCards } from '../git/card-changes.ts'
import { recordOnEntity } from '../git/linking.ts'
import type { Occurrence } from '../git/occurrences.ts'
import { driftOf } from './drift.ts'

type ScopedCard = Pick<CardsTable, 'id' | 'paths'>

/** Of some cards, those with a scope whose commits have not been reported as leaving it. */
const keeping = hot<{ board: string; ids: string }, ScopedCard>(
  (_, param) => sql<ScopedCard>`select c.id, c.paths from cards c
    where ${dialect.inList(sql.ref('c.id'), sql<string>`${param('ids')}`)} and ${onBoard('c', param('board'))} and c.paths <> '[]'
      and not exists (select 1 from events e where e.card_id = c.id and ${sameBoard('e', 'c')} and e.action = 'scope_left')`,
)

/** Records, once for each card, that its commits change files outside of its scope (harness 4.4). */
export async function recordScopeDrift(ctx: Context, board: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const cards = await keeping(ctx.db, { board, ids: JSON.stringify(ids) })
  if (cards.length === 0) return
  const commits = await commitsOfCards(
    ctx.db,
    board,
    cards.map(({ id }) => id),
  )
  for (const { id, paths } of cards) {
    const drift = driftOf(parseJson(paths), commits.get(id) ?? [])
    if (drift !== null && drift.outside_total > 0)
      await recordOnEntity(ctx, { entity_type: 'card', entity_id: id }, board, 'scope_left', { ...drift })
  }
}

/** The cards to which commits were linked. */
export const cardsOfCommits = (occurrences: readonly Occurrence[]): string[] => [
  ...new Set(occurrences.flatMap(each => (each.what === 'linked' && each.change.kind === 'commit' ? [each.card] : []))),
]
