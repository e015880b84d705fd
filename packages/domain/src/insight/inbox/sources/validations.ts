import { CardStatus } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { awaitsValidation, separatesReview, tookPart, validatedByPersons } from '../../../delivery/cards/list/ready.ts'
import type { Access } from '../../../kernel/access/access.ts'
import type { Context } from '../../../kernel/context.ts'
import { mayCall } from '../../../kernel/service/may-call.ts'
import { parseJson } from '../../../lib/json.ts'
import type { Flag } from '../../../schema/columns.ts'
import { hot } from '../../../schema/hot.ts'
import type { CardsTable, TaskValidationsTable } from '../../../schema/tables.ts'
import type { Found } from '../rules.ts'
import { foundColumns, idsOf, idsWhere, onBoards, type Source, sourcesOf } from '../source.ts'

interface ToValidate {
  boards: string
  /** The boards where the claims of others hold the caller up in nothing. */
  above: string
  /** The boards that separate review. */
  separate: string
  agent: string
  now: string
}

const toValidate = hot<ToValidate, Found>(
  (_, param) =>
    sql<Found>`select ${foundColumns('c', { source: 'c.id', record: 'c.id', since: sql`c.moved_at` })}
      from cards c where ${onBoards('c', param('boards'))} and c.archived = 0 and ${awaitsValidation}
        and (${onBoards('c', param('above'))} or not exists (
          select 1 from claims k where k.card_id = c.id and k.expires_at > ${param('now')} and k.agent_id <> ${param('agent')}))
        and not (${onBoards('c', param('separate'))} and ${tookPart(param('agent'))})`,
)

interface Reviewing {
  id: string
  /** Whether review is separate. */
  separate: Flag
  /** Whether persons alone approve. */
  personal: Flag
}

const reviewing = hot<{ boards: string }, Reviewing>(
  (_, param) =>
    sql<Reviewing>`select id, case when ${separatesReview} then 1 else 0 end as separate,
        case when ${validatedByPersons} then 1 else 0 end as personal
      from boards where ${dialect.inList(sql.ref('id'), param('boards'))}`,
)

/** The boards on which the caller may approve, and those of them that separate review: asked once, for it takes reading their settings. */
async function approvable({ db, caller }: Context, boards: readonly Access[]) {
  const rows = await reviewing(db, { boards: idsOf(boards) })
  const open = rows.filter(({ personal }) => personal === 0 || caller.kind === 'person')
  const ids = (some: readonly Reviewing[]) => JSON.stringify(some.map(({ id }) => id))
  return { boards: ids(open), separate: ids(open.filter(({ separate }) => separate === 1)) }
}

const cardsByIds = hot<{ ids: string }, Pick<CardsTable, 'id' | 'card_type' | 'priority' | 'moved_by'>>((db, param) =>
  db
    .selectFrom('cards')
    .select(['id', 'card_type', 'priority', 'moved_by'])
    .where(eb => dialect.inList(eb.ref('id'), param('ids'))),
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
    const rows = await cardsByIds(ctx.db, { ids: sourcesOf(page) })
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

/** A card without an assignee is reworked by who moved it to `validation`. */
const failed = hot<{ boards: string; agent: string; name: string }, Found>(
  (_, param) =>
    sql<Found>`select ${foundColumns('c', { source: 'v.id', record: 'c.id', since: sql`v.created_at` })}
      from cards c join task_validations v on v.id = (select newest.id from task_validations newest
        where newest.card_id = c.id and newest.stay = c.validation_stay
        order by newest.created_at desc, newest.id desc limit 1)
      where ${onBoards('c', param('boards'))} and c.archived = 0 and c.status = 'validation' and v.outcome = 'failed'
        and (c.assignee_id in (${param('agent')}, ${param('name')})
          or c.assignee_id is null and c.moved_by = ${param('agent')})`,
)

const validationsByIds = hot<{ ids: string }, TaskValidationsTable>((db, param) =>
  db
    .selectFrom('task_validations')
    .selectAll()
    .where(eb => dialect.inList(eb.ref('id'), param('ids'))),
)

/** Where a card goes back to for rework, the nearest first. */
const wayBack = CardStatus.extract(['in_progress', 'started', 'not_started']).options

/** Where the caller may take a card back to; undefined where it may take it nowhere. */
const backFor = (access: Access) =>
  wayBack.find(target_status =>
    mayCall(access, { operation: 'move_card', status: 'validation', body: { target_status } }),
  )

/** Cards of the caller's that failed their validation (cards 5). */
export const cardsToRework: Source = {
  kind: 'card_rework',
  about: 'card',
  isOpen: access =>
    access.allows('CARDS_READ') && access.allows('CARDS_READ_VALIDATIONS') && backFor(access) !== undefined,
  find: (ctx, boards) => failed(ctx.db, { boards: idsOf(boards), agent: ctx.caller.id, name: ctx.caller.name }),
  show: async (ctx, page, on) => {
    const rows = await validationsByIds(ctx.db, { ids: sourcesOf(page) })
    return new Map(
      rows.map(row => [
        row.id,
        {
          actor_id: row.submitted_by,
          data: {
            validation_id: row.id,
            reviewer_name: row.reviewer_name,
            recommendation: row.recommendation,
            summary: row.summary,
            evidence: parseJson(row.evidence),
            confidence: row.confidence,
            completeness: row.completeness,
            drift: row.drift,
            threshold_violations: parseJson(row.threshold_violations),
          },
          operation: 'move_card',
          arguments: { card_id: row.card_id, target_status: backFor(on(row.board_id)) },
        },
      ]),
    )
  },
}
