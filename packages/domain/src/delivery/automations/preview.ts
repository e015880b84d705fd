/** What automations would have done in the last 7 days (git 10). */
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { parseNullable } from '../../lib/json.ts'
import { hot } from '../../schema/hot.ts'
import { refOf } from '../../schema/refs.ts'
import { sameBoard } from '../../schema/same-board.ts'
import type { CardsTable, ChangesTable, EventsTable } from '../../schema/tables.ts'
import { Authors } from '../git/authors.ts'
import { contentOf } from '../git/store.ts'
import type { Automation } from './occasions.ts'
import { type Entry, wouldHaveMoved } from './would-have.ts'

/** How far back it looks, ms. */
const lookedBackMs = 7 * 86_400_000

/** How many of a board's newest entries are examined. */
const maxEntries = 5_000

/** Maximum number of cards that are named. */
const maxNamed = 5

type EntryRow = Pick<EventsTable, 'seq' | 'action' | 'entity_id' | 'actor_id' | 'details'>

const entriesSince = hot<{ board: string; since: string }, EntryRow>(
  (_, param) => sql<EntryRow>`select e.seq, e.action, e.entity_id, e.actor_id, e.details from events e
    where e.board_id = ${param('board')} and e.seq > (select coalesce(max(l.seq), 0) from events l
        where l.board_id = ${param('board')}) - ${sql.lit(maxEntries)}
      and e.created_at >= ${param('since')} and e.imported = 0 and e.entity_type = 'card'
      and e.action in ('change_linked', 'pull_request_opened', 'pull_request_ready', 'pull_request_merged', 'card_moved',
        'card_claimed', 'checks_failed')
    order by e.seq`,
)

interface CardRow extends Pick<CardsTable, 'id' | 'status' | 'assignee_id'> {
  ref: string
  holder: string | null
}

const cardsWith = hot<{ ids: string }, CardRow>(
  (_, param) => sql<CardRow>`select c.id, ${refOf('c')} as ref, c.status, c.assignee_id,
      (select k.agent_id from claims k where k.card_id = c.id and ${sameBoard('k', 'c')}) as holder
    from cards c where ${dialect.inList(sql.ref('c.id'), param('ids'))} and c.archived = 0`,
)

const changesWith = hot<{ ids: string }, ChangesTable>(
  (_, param) => sql<ChangesTable>`select h.* from changes h where ${dialect.inList(sql.ref('h.id'), param('ids'))}`,
)

const entryOf = ({ seq, action, entity_id, actor_id, details }: EntryRow): Entry => ({
  seq: Number(seq),
  action: action ?? '',
  card: entity_id,
  actor: actor_id,
  details: parseNullable(details) ?? {},
})

/** The moves that an automation would have made: how many, and the first cards. */
export interface WouldHave {
  readonly moves: number
  readonly cards: string[]
}

/** The moves that each automation would have made. */
export async function automationsPreview(
  ctx: Context,
): Promise<Record<Automation | 'notify_failed_checks', WouldHave>> {
  const { db, boardId: board } = ctx
  const since = new Date(Date.parse(ctx.now()) - lookedBackMs).toISOString()
  const entries = (await entriesSince(db, { board, since })).map(entryOf)
  const named = <Value>(values: readonly Value[]) => JSON.stringify([...new Set(values)])
  const rows = await cardsWith(db, { ids: named(entries.map(({ card }) => card)) })
  const changes = await changesWith(db, { ids: named(entries.flatMap(({ details }) => details.change_id ?? [])) })
  const authors = await Authors.of(db, board)
  const workersOf = ({ holder, assignee_id }: CardRow) => holder ?? assignee_id ?? []
  const moved = wouldHaveMoved(
    entries,
    new Map(rows.map(row => [row.id, { status: row.status, workers: [workersOf(row)].flat() }])),
    new Map(
      changes.map(change => {
        const { author_email: email, author_login: login, repository_id } = change
        const { agent } = authors.find({ email, login }, repository_id)
        return [
          change.id,
          {
            isDraft: contentOf(change).draft === true,
            isExternal: change.is_external === 1,
            authors: agent === undefined ? [] : authors.named(agent.id),
          },
        ]
      }),
    ),
  )
  const refs = new Map(rows.map(({ id, ref }) => [id, ref]))
  const summary = (ids: readonly string[]): WouldHave => ({
    moves: ids.length,
    cards: ids.slice(0, maxNamed).flatMap(id => refs.get(id) ?? []),
  })
  const failed = entries.filter(({ action, card }) => action === 'checks_failed' && refs.has(card))
  return {
    auto_start_on_change: summary(moved.auto_start_on_change),
    auto_validation_on_pull_request: summary(moved.auto_validation_on_pull_request),
    auto_done_on_merge: summary(moved.auto_done_on_merge),
    notify_failed_checks: summary([...new Set(failed.map(({ card }) => card))]),
  }
}
