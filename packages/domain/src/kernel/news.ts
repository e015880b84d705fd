import type { InboxKind } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { z } from 'zod'
import { toJson } from '../lib/json.ts'
import { hot } from '../schema/hot.ts'
import { onBoard } from '../schema/same-board.ts'
import type { NewsTable } from '../schema/tables.ts'
import type { Context } from './context.ts'

/** The kinds of inbox items that are news: they disappear once read or dismissed (crew 4.3). */
export type NewsKind = Extract<z.output<typeof InboxKind>, 'answer' | 'claim_lost' | 'card_changed' | 'notice'>

/** A message that an agent receives once. */
export interface News {
  readonly to: string
  readonly kind: NewsKind
  /** Its source: later news from the same source replaces it. */
  readonly source: string
  readonly entity: { readonly type: string; readonly id: string; readonly board_id: string }
  readonly data: Readonly<Record<string, unknown>>
  /** The last state of the record, if it no longer exists. */
  readonly record?: { readonly ref: string | null; readonly title: string; readonly status: string }
}

const upsert = hot<NewsTable, never>(
  (_, param) =>
    sql<never>`insert into news
        (agent_id, kind, source, board_id, entity_type, entity_id, since, actor_id, actor_name, data, record)
      select id, ${param('kind')}, ${param('source')}, ${param('board_id')}, ${param('entity_type')},
        ${param('entity_id')}, ${param('since')}, ${param('actor_id')}, ${param('actor_name')}, ${param('data')},
        ${param('record')}
      from agents where id = ${param('agent_id')} and deleted_at is null
      on conflict (${dialect.keyOnBoard(['agent_id', 'kind', 'source'])}) do update set since = excluded.since, actor_id = excluded.actor_id,
        actor_name = excluded.actor_name, data = excluded.data, record = excluded.record`,
)

/**
 * Adds news for an agent, in the transaction of the write that it is about. Nobody gets news about their own actions.
 */
export async function sendNews(ctx: Context, { to, kind, source, entity, data, record }: News): Promise<void> {
  if (to === ctx.caller.id) return
  await upsert(ctx.db, {
    agent_id: to,
    kind,
    source,
    board_id: entity.board_id,
    entity_type: entity.type,
    entity_id: entity.id,
    since: ctx.now(),
    actor_id: ctx.caller.id,
    actor_name: ctx.caller.name,
    data: toJson(data),
    record: toJson(record) ?? null,
  })
}

const ofRecord = hot<{ agent: string; entity: string; board: string }, never>((db, param) =>
  db
    .deleteFrom('news')
    .where('entity_id', '=', param('entity'))
    .where(onBoard('news', param('board')))
    .where('agent_id', '=', param('agent')),
)

/** Removes an agent's news about a record that it has just read. */
export const forgetNewsOf = ({ db, caller, boardId }: Context, record: string): Promise<unknown> =>
  ofRecord(db, { agent: caller.id, entity: record, board: boardId })

/** Removes the news about the record that a call reads, once it was read (crew 4.3). */
export function readNews(ctx: Context): void {
  const { id, news } = ctx.target
  if (news) ctx.following.push(async later => void (await forgetNewsOf(later, id)))
}
