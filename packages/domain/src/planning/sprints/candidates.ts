import { dialect, type Json } from '@specboard/storage'
import { parseJson } from '../../lib/json.ts'
import type { Flag } from '../../schema/columns.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { sameBoard } from '../../schema/same-board.ts'
import type { Candidate } from './suggest.ts'

interface CandidateRow {
  id: string
  title: string
  test_scenario_ids: Json<string[]>
  depends_on: Json<{ depends_on_id: string }[]>
}

const openCards = hot<{ spec: string; assigned: Flag }, CandidateRow>((db, param) =>
  db
    .selectFrom('cards')
    .select(['id', 'title', 'test_scenario_ids'])
    .select(eb =>
      dialect
        .jsonArrayFrom(
          eb
            .selectFrom('card_dependencies')
            .select('card_dependencies.depends_on_id')
            .whereRef('card_dependencies.card_id', '=', 'cards.id')
            .where(sameBoard('card_dependencies', 'cards')),
        )
        .as('depends_on'),
    )
    .where('spec_id', '=', param('spec'))
    .where('archived', '=', 0)
    .where('status', 'not in', ['done', 'cancelled'])
    .where(eb => eb.or([eb('sprint_id', 'is', null), eb(eb.val(param('assigned')), '=', 1)]))
    .orderBy('created_at')
    .orderBy('id'),
)

/** The open cards of a spec, oldest first; with `unassignedOnly`, only those without a sprint (planning 1.8). */
export async function readCandidates(db: Db, specId: string, unassignedOnly: boolean): Promise<Candidate[]> {
  const rows = await openCards(db, { spec: specId, assigned: unassignedOnly ? 0 : 1 })
  return rows.map(({ id, title, test_scenario_ids, depends_on }) => ({
    id,
    title,
    test_scenario_ids: parseJson(test_scenario_ids),
    depends_on: parseJson(depends_on).map(row => row.depends_on_id),
  }))
}
