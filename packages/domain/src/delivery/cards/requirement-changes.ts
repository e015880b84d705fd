/** Changes that others made to a card's requirements (crew 4.7). */
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { blocked, type DomainError } from '../../kernel/errors.ts'
import { sendNews } from '../../kernel/news.ts'
import { toJson } from '../../lib/json.ts'
import { type Mark, withMarks } from '../../planning/specs/requirement-changes.ts'
import type { Change } from '../../schema/contents.ts'
import { hot } from '../../schema/hot.ts'
import { updateRow } from '../../schema/rows.ts'
import type { CardRecord } from '../card-record/record.ts'
import { findClaim } from '../claims/store.ts'

type ChangeMarks = Pick<CardRecord, 'requirement_changes' | 'changes_seen_at'>

/** The columns for changes of a card that is done or cancelled. */
export const noChanges = { requirement_changes: null, changes_seen_at: null } as const

/** The changes that the holder of a card has not read. */
export const unreadChanges = ({ requirement_changes, changes_seen_at }: ChangeMarks): Mark[] =>
  (requirement_changes ?? []).filter(({ at }) => changes_seen_at === null || at > changes_seen_at)

const writeSeen = hot<{ id: string; now: string }, never>(
  (_, param) => sql<never>`update cards set changes_seen_at = ${param('now')} where id = ${param('id')}`,
)

/** Records that the holder of a card has read the changes of others. */
export const markChangesRead = async (ctx: Context, id: string): Promise<void> => {
  await writeSeen(ctx.db, { id, now: ctx.now() })
}

/**
 * CHANGED_MEANWHILE for a card that was changed after its report, unless the reviewer confirms having seen the changes;
 * otherwise null.
 */
export function changedMeanwhile(card: CardRecord, hasSeen: boolean): DomainError | null {
  const reported =
    card.conclusions.findLast(({ source }) => source === 'move_to_validation')?.created_at ?? card.moved_at
  const changes = (card.requirement_changes ?? []).filter(({ at }) => at > reported)
  if (hasSeen || changes.length === 0) return null
  return blocked(
    'CHANGED_MEANWHILE',
    'What this card asks for was changed after its report. Read the changes, then send seen_changes: true.',
    { changes, spec_id: card.spec_id },
  )
}

/** The fields of a card whose changes are reported to its holder and assignee. */
const reportedFields: ReadonlySet<string> = new Set([
  'title',
  'description',
  'details',
  'action_plan',
  'steps_to_reproduce',
  'expected_behavior',
  'observed_behavior',
  'test_scenario_ids',
  'spec_id',
])

/** Marks a card whose own texts or scenarios somebody else has changed, and notifies its holder and assignee. */
export async function markOwnChanges(ctx: Context, before: CardRecord, changes: readonly Change[]): Promise<void> {
  const fields = changes.map(({ field }) => field).filter(field => reportedFields.has(field))
  if (fields.length === 0) return
  const holder = (await findClaim(ctx.db, before.id, ctx.now()))?.agent_id ?? null
  if (holder === ctx.caller.id || (holder === null && before.assignee_id === null)) return
  const fresh: Mark[] = fields.map(field => ({ field, item: null, by: ctx.caller.id, at: ctx.now() }))
  await updateRow(ctx.db, 'cards', before.id, {
    requirement_changes: toJson(withMarks(before.requirement_changes ?? [], fresh)),
  })
  for (const to of new Set([holder, before.assignee_id]))
    if (to !== null)
      await sendNews(ctx, {
        to,
        kind: 'card_changed',
        source: before.id,
        entity: { type: 'card', id: before.id, board_id: before.board_id },
        data: { changes: fresh, of: { entity_type: 'card', entity_id: before.id, rev: before.rev + 1 } },
      })
}
