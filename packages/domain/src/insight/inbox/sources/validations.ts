import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { readMoveFacts } from '../../../delivery/cards/gates/facts.ts'
import { awaitsValidation, separatesReview, tookPart, validatedByPersons } from '../../../delivery/cards/list/ready.ts'
import { needsRework } from '../../../delivery/cards/rework.ts'
import type { Access } from '../../../kernel/access/access.ts'
import type { Context } from '../../../kernel/context.ts'
import { mayCall } from '../../../kernel/service/may-call.ts'
import { parseJson } from '../../../lib/json.ts'
import type { Flag } from '../../../schema/columns.ts'
import { hot } from '../../../schema/hot.ts'
import { sameBoard } from '../../../schema/same-board.ts'
import type { CardsTable, TaskValidationsTable } from '../../../schema/tables.ts'
import type { WaitingItem } from '../rules.ts'
import { foundColumns, idsOf, idsWhere, isAsked, onBoards, type Selection, type Source, sourcesOf } from '../source.ts'
import { reworkedByCaller } from './keepers.ts'

interface ToValidate {
  boards: string
  /** The boards where others' claims do not block the caller. */
  above: string
  /** The boards that separate review. */
  separate: string
  agent: string
  now: string
}

const toValidate = hot<ToValidate, WaitingItem>(
  (_, param) =>
    sql<WaitingItem>`select ${foundColumns('c', { source: 'c.id', record: 'c.id', since: sql`c.moved_at` })}
      from cards c where ${onBoards('c', param('boards'))} and c.archived = 0 and ${awaitsValidation}
        and (${onBoards('c', param('above'))} or not exists (
          select 1 from claims k where k.card_id = c.id and ${sameBoard('k', 'c')} and k.expires_at > ${param('now')} and k.agent_id <> ${param('agent')}))
        and not (${onBoards('c', param('separate'))} and ${tookPart(param('agent'))})`,
)

interface Reviewing {
  id: string
  /** Whether review is separate. */
  separate: Flag
  /** Whether only people approve. */
  personal: Flag
}

const reviewing = hot<{ boards: string }, Reviewing>(
  (_, param) =>
    sql<Reviewing>`select id, case when ${separatesReview} then 1 else 0 end as separate,
        case when ${validatedByPersons} then 1 else 0 end as personal
      from boards where ${dialect.inList(sql.ref('id'), param('boards'))}`,
)

/**
 * The boards on which the caller may approve, and those of them that separate review: read only once, because it
 * requires reading their settings.
 */
async function approvable({ db, caller }: Context, boards: readonly Access[]) {
  const rows = await reviewing(db, { boards: idsOf(boards) })
  const open = rows.filter(({ personal }) => personal === 0 || caller.kind === 'person')
  const ids = (some: readonly Reviewing[]) => JSON.stringify(some.map(({ id }) => id))
  return { boards: ids(open), separate: ids(open.filter(({ separate }) => separate === 1)) }
}

const cardsByIds = hot<Selection, Pick<CardsTable, 'id' | 'card_type' | 'priority' | 'moved_by'>>((db, param) =>
  db.selectFrom('cards').select(['id', 'card_type', 'priority', 'moved_by']).where(isAsked('cards', param)),
)

/** Cards that wait for a validation, as list_ready_cards lists them (work 2). */
export const cardsToValidate: Source = {
  kind: 'card_validation',
  about: 'card',
  isOpen: access => mayCall(access, { operation: 'submit_task_validation', status: 'validation' }),
  find: async (ctx, boards) =>
    toValidate(ctx.db, {
      ...(await approvable(ctx, boards)),
      above: idsWhere(boards, access => access.allows('BOARDS_UPDATE')),
      agent: ctx.caller.id,
      now: ctx.now(),
    }),
  show: async (ctx, page) => {
    const rows = await cardsByIds(ctx.db, sourcesOf(page))
    return new Map(
      rows.map(({ id, moved_by, card_type, priority }) => [
        id,
        {
          actor_id: moved_by,
          data: { card_type, priority },
          operation: 'submit_task_validation',
          arguments: { card_id: id },
        },
      ]),
    )
  },
}

type FailedCard = WaitingItem & Pick<CardsTable, 'assignee_id' | 'moved_by'>

const failed = hot<{ boards: string }, FailedCard>(
  (_, param) =>
    sql<FailedCard>`select ${foundColumns('c', { source: 'v.id', record: 'c.id', since: sql`v.created_at` })},
        c.assignee_id, c.moved_by
      from cards c join task_validations v on v.id = (select newest.id from task_validations newest
        where newest.card_id = c.id and ${sameBoard('newest', 'c')} and newest.stay = c.validation_stay
        order by newest.created_at desc, newest.id desc limit 1) and ${sameBoard('v', 'c')}
      where ${onBoards('c', param('boards'))} and c.archived = 0 and c.status = 'validation' and v.outcome = 'failed'`,
)

const testsInValidation = hot<{ boards: string }, FailedCard>(
  (_, param) =>
    sql<FailedCard>`select ${foundColumns('c', { source: 'c.id', record: 'c.id', since: sql`c.moved_at` })},
        c.assignee_id, c.moved_by
      from cards c where ${onBoards('c', param('boards'))} and c.archived = 0 and c.status = 'validation'
        and c.card_type = 'test'`,
)

/** Test cards in `validation` with a scenario that was not run. */
async function testsToRework(ctx: Context, boards: string): Promise<readonly FailedCard[]> {
  const found: FailedCard[] = []
  for (const card of await testsInValidation(ctx.db, { boards }))
    if (needsRework(await readMoveFacts(ctx, card.record))) found.push(card)
  return found
}

const validationsByIds = hot<Selection, TaskValidationsTable>((db, param) =>
  db.selectFrom('task_validations').selectAll().where(isAsked('task_validations', param)),
)

/** The caller's cards that failed their validation, and test cards whose scenarios were not all run (crew 4.2). */
export const cardsToRework: Source = {
  kind: 'card_rework',
  about: 'card',
  // The agent that has to rework a card is notified even if the verdict itself is hidden (crew 4.8).
  isOpen: access => access.allows('CARDS_READ'),
  find: async (ctx, boards) => {
    const on = idsOf(boards)
    return reworkedByCaller(ctx, [...(await failed(ctx.db, { boards: on })), ...(await testsToRework(ctx, on))])
  },
  show: async (ctx, page, on) => {
    const rows = await validationsByIds(ctx.db, sourcesOf(page))
    const byId = new Map(rows.map(row => [row.id, row]))
    return new Map(
      page.map(({ source, record, board }) => {
        const row = on(board).allows('CARDS_READ_VALIDATIONS') ? byId.get(source) : undefined
        return [
          source,
          {
            actor_id: row?.submitted_by ?? null,
            data: row === undefined ? null : verdictOf(row),
            operation: 'move_card',
            arguments: { card_id: record, target_status: 'in_progress' },
          },
        ]
      }),
    )
  },
}

/** A verdict as an item shows it. */
const verdictOf = (row: TaskValidationsTable) => ({
  validation_id: row.id,
  reviewer_name: row.reviewer_name,
  recommendation: row.recommendation,
  summary: row.summary,
  evidence: parseJson(row.evidence),
  confidence: row.confidence,
  completeness: row.completeness,
  drift: row.drift,
  threshold_violations: parseJson(row.threshold_violations),
})
