import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { forgetNewsOf } from '../../planning/news/store.ts'
import { hot } from '../../schema/hot.ts'

interface Reading {
  card: string
  agent: string
  now: string
}

const changesRead = hot<Reading, never>(
  (_, param) =>
    sql<never>`update cards set changes_read_at = ${param('now')} where id = ${param('card')}
      and requirement_changes is not null
      and exists (select 1 from claims k where k.card_id = cards.id and k.agent_id = ${param('agent')}
        and k.expires_at > ${param('now')})`,
)

const lossSeen = hot<Reading, never>(
  (_, param) =>
    sql<never>`update claims set lost_seen = 1 where card_id = ${param('card')} and agent_id = ${param('agent')}
      and expires_at <= ${param('now')}`,
)

/** Lets what the caller was told of a card go: it has read the card (crew 4.3). */
export async function markRead(ctx: Context, card: string): Promise<void> {
  const reading = { card, agent: ctx.caller.id, now: ctx.now() }
  await forgetNewsOf(ctx, card)
  await changesRead(ctx.db, reading)
  await lossSeen(ctx.db, reading)
}
