/** Inbox items about the changes of cards, for those who work on them (git 7, 9). */
import { dialect } from '@specboard/storage'
import { type RawBuilder, sql } from 'kysely'
import { type MoveFacts, readMoveFacts } from '../../../delivery/cards/gates/facts.ts'
import { gatesOfMove, reportToCome } from '../../../delivery/cards/gates/gates.ts'
import { failedChecks, type MissingChange, type MissingCheck } from '../../../delivery/git/change-gates.ts'
import { boardSettings } from '../../../kernel/board-settings.ts'
import type { Context } from '../../../kernel/context.ts'
import { mayCall } from '../../../kernel/service/may-call.ts'
import { parseJson } from '../../../lib/json.ts'
import { hot } from '../../../schema/hot.ts'
import { sameBoard } from '../../../schema/same-board.ts'
import type { AutomationRefusalsTable, CardsTable } from '../../../schema/tables.ts'
import type { WaitingItem } from '../rules.ts'
import {
  foundColumns,
  type ItemDetails,
  idsOf,
  isAsked,
  onBoards,
  type Selection,
  type Source,
  sourcesOf,
} from '../source.ts'
import { isCaller, membersOn, responsibleOf } from './keepers.ts'

/** A card with the names of those who may be notified about it; the first possible one is. */
export interface WorkedCard extends WaitingItem, Pick<CardsTable, 'assignee_id' | 'moved_by' | 'created_by'> {
  holder: string | null
  /** The author of the change, if known. */
  author: string | null
}

/** The columns of a card that somebody works on. */
export const workedColumns = (now: string, since: RawBuilder<unknown>, author: RawBuilder<unknown>) => sql`
  ${foundColumns('c', { source: 'c.id', record: 'c.id', since: sql<string>`${since}` })},
  c.assignee_id, c.moved_by, c.created_by, ${author} as author,
  (select k.agent_id from claims k where k.card_id = c.id and ${sameBoard('k', 'c')} and k.expires_at > ${now}) as holder`

/**
 * The cards about which the caller is notified: as the holder of the claim, otherwise as assignee, as the last to move
 * it, or as the author of the change or creator of the card; if none of them sees the board, everybody is notified.
 */
async function cardsToReport(ctx: Context, cards: readonly WorkedCard[]): Promise<readonly WaitingItem[]> {
  const items: WaitingItem[] = []
  for (const { holder, assignee_id, moved_by, author, created_by, ...card } of cards) {
    const readers = (await membersOn(ctx, card.board)).filter(({ access }) => access.allows('CARDS_READ'))
    const keeper = responsibleOf(readers, [holder, assignee_id, moved_by, author, created_by])
    if (keeper === undefined || isCaller(ctx, keeper)) items.push(card)
  }
  return items
}

const isOpen: Source['isOpen'] = access =>
  access.allows('CARDS_READ') && access.allows('CHANGES_READ') && mayCall(access, { operation: 'get_allowed_moves' })

const refusedMoves = hot<{ boards: string; now: string }, WorkedCard>(
  (_, param) =>
    sql<WorkedCard>`select ${workedColumns(param('now'), sql`f.at`, sql`f.agent_id`)}
      from automation_refusals f join cards c on c.id = f.card_id and ${sameBoard('c', 'f')} join changes h on h.id = f.change_id and ${sameBoard('h', 'f')}
      where ${onBoards('f', param('boards'))} and c.archived = 0 and c.status = f.from_status
        and c.moved_at = f.moved_at and h.state <> 'closed'`,
)

const refusalsByCards = hot<Selection, AutomationRefusalsTable>((db, param) =>
  db
    .selectFrom('automation_refusals')
    .selectAll()
    .where(isAsked('automation_refusals', param, 'card_id')),
)

const lookingAt = (card: string) => ({
  operation: 'get_allowed_moves',
  arguments: { entity_type: 'card', entity_id: card },
})

/** Moves called for by changes that a gate prevented. */
const automationRefused: Source = {
  kind: 'automation_refused',
  about: 'card',
  isOpen,
  find: async (ctx, boards) =>
    cardsToReport(ctx, await refusedMoves(ctx.db, { boards: idsOf(boards), now: ctx.now() })),
  show: async (ctx, page, on) => {
    const rows = await refusalsByCards(ctx.db, sourcesOf(page))
    return new Map(
      rows.map((row): [string, ItemDetails] => {
        const { card_id, board_id, from_status, to_status, code, message, missing, cause } = row
        const move = { target_status: to_status, ...parseJson(row.report) }
        // The remaining parts of the report are sent with the move itself.
        const isToMove =
          code === 'CONCLUSION_REQUIRED' &&
          mayCall(on(board_id), { operation: 'move_card', status: from_status, body: { target_status: to_status } })
        return [
          card_id,
          {
            actor_id: null,
            data: {
              move: { from_status, to_status },
              code,
              message,
              missing: parseJson(missing),
              cause: parseJson(cause),
            },
            ...(isToMove ? { operation: 'move_card', arguments: { card_id, ...move } } : lookingAt(card_id)),
          },
        ]
      }),
    )
  },
}

/** When the newest failed check of a card's changes ended; null where none failed. */
const failedAt = sql`(select max(t.at) from change_links l join changes h on h.id = l.change_id and ${sameBoard('h', 'l')}
  join change_checks t on t.repository_id = h.repository_id and ${sameBoard('t', 'h')} and t.sha in (h.key, h.head, h.merge_commit)
  where l.entity_id = c.id and ${sameBoard('l', 'c')} and l.is_undone = 0 and h.kind in ('commit', 'pull_request')
    and t.state in ('failure', 'cancelled'))`

const none = sql`null`

const failing = hot<{ boards: string; now: string }, WorkedCard>(
  (_, param) =>
    sql<WorkedCard>`select * from (
        select ${workedColumns(param('now'), failedAt, none)} from cards c
          where ${onBoards('c', param('boards'))} and c.status = 'validation' and c.archived = 0
        union all select ${workedColumns(param('now'), failedAt, none)} from claims q join cards c on c.id = q.card_id and ${sameBoard('c', 'q')}
          where ${onBoards('q', param('boards'))} and q.expires_at > ${param('now')} and c.archived = 0
            and c.status <> 'validation'
      ) found where since is not null`,
)

const asksForChanges = sql`exists (select 1 from boards b where b.id = c.board_id
  and (${dialect.jsonFlag(sql.ref<string>('b.settings'), 'require_merged_change')}
    or ${dialect.jsonFlag(sql.ref<string>('b.settings'), 'require_green_checks')}))`

const hasRequest = sql`exists (select 1 from change_links l join changes h on h.id = l.change_id and ${sameBoard('h', 'l')}
  where l.entity_id = c.id and ${sameBoard('l', 'c')} and l.is_undone = 0 and h.kind = 'pull_request')`

const begunIn = (status: 'validation' | 'in_progress' | 'started') =>
  hot<{ boards: string; now: string }, WorkedCard>(
    (_, param) =>
      sql<WorkedCard>`select ${workedColumns(param('now'), sql`c.moved_at`, none)} from cards c
        where ${onBoards('c', param('boards'))} and c.status = ${sql.lit(status)} and c.archived = 0
          and c.card_type <> 'test' and ${asksForChanges}
          and ${status === 'validation' ? sql`true` : hasRequest}`,
  )

const begunQueries = (['validation', 'in_progress', 'started'] as const).map(begunIn)

/**
 * The missing merges and checks of a card's changes; null unless they alone, apart from a person's approval, keep the
 * card from being done.
 */
function waitsFor(
  facts: MoveFacts,
): { readonly merge: readonly MissingChange[]; readonly checks: readonly MissingCheck[] } | null {
  const to = 'done'
  const closed = gatesOfMove({ facts, to, report: reportToCome({ facts, to }) }).filter(
    ({ gate, refusal }) => gate !== 'report' && refusal !== null,
  )
  if (closed.length === 0 || closed.some(({ gate }) => gate !== 'change' && gate !== 'checks')) return null
  const { changes, checks } = facts.changes
  return { merge: changes ?? [], checks: checks ?? [] }
}

const isPending = ({ reason }: MissingCheck): boolean => reason === 'pending'

const isFailed = ({ reason }: MissingCheck): boolean => reason === 'failing' || reason === 'cancelled'

/** Cards that wait for their changes, with what is missing. */
async function waiting(ctx: Context, boards: string) {
  const found: {
    readonly card: WorkedCard
    readonly merge: readonly MissingChange[]
    readonly checks: readonly MissingCheck[]
  }[] = []
  for (const find of begunQueries)
    for (const card of await find(ctx.db, { boards, now: ctx.now() })) {
      const waits = waitsFor(await readMoveFacts(ctx, card.record))
      if (waits !== null) found.push({ card, ...waits })
    }
  return found
}

/** Cards whose checks failed, or that wait for checks that never ran. While some are running, nobody is notified. */
const checksFailed: Source = {
  kind: 'checks_failed',
  about: 'card',
  isOpen,
  find: async (ctx, boards) => {
    const cards = new Map<string, WorkedCard>()
    for (const card of await failing(ctx.db, { boards: idsOf(boards), now: ctx.now() }))
      if ((await isNotified(ctx, card.board)) && (await failedChecks(ctx.db, card.board, card.record)).length > 0)
        cards.set(card.record, card)
    for (const { card, merge, checks } of await waiting(ctx, idsOf(boards)))
      if (merge.length === 0 && checks.length > 0 && (checks.some(isFailed) || !checks.some(isPending)))
        if (!cards.has(card.record)) cards.set(card.record, card)
    return cardsToReport(ctx, [...cards.values()])
  },
  show: async (ctx, page) => {
    const details = new Map<string, ItemDetails>()
    for (const { record, board } of page) {
      const { checks } = (await readMoveFacts(ctx, record)).changes
      const missing = checks ?? (await failedChecks(ctx.db, board, record))
      details.set(record, { actor_id: null, data: { missing }, ...lookingAt(record) })
    }
    return details
  },
}

const isNotified = async (ctx: Context, board: string): Promise<boolean> =>
  (await boardSettings(ctx.db, board)).notify_failed_checks

/** Cards for which the only thing left is to merge their changes. */
const changeUnmerged: Source = {
  kind: 'change_unmerged',
  about: 'card',
  isOpen: access => isOpen(access) && mayCall(access, { operation: 'get_change' }),
  find: async (ctx, boards) =>
    cardsToReport(
      ctx,
      (await waiting(ctx, idsOf(boards)))
        .filter(({ merge, checks }) => merge.length > 0 && !checks.some(isPending) && !checks.some(isFailed))
        .map(({ card }) => card),
    ),
  show: async (ctx, page) => {
    const details = new Map<string, ItemDetails>()
    for (const { record, board } of page) {
      const missing = (await readMoveFacts(ctx, record)).changes.changes ?? []
      const change_id = missing.find(({ change_id: id }) => id !== null)?.change_id
      details.set(record, {
        actor_id: null,
        data: { missing },
        ...(change_id == null
          ? { operation: 'list_changes', arguments: { board_id: board, unlinked: true } }
          : { operation: 'get_change', arguments: { change_id } }),
      })
    }
    return details
  },
}

/** The sources of items about the changes of cards. */
export const changesOfCards: readonly Source[] = [automationRefused, checksFailed, changeUnmerged]
