import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { forgetNewsOf } from '../../kernel/news.ts'
import { hot } from '../../schema/hot.ts'

interface Reading {
  card: string
  agent: string
  now: string
}

const lossSeen = hot<Reading, never>(
  (_, param) =>
    sql<never>`update claims set lost_seen = 1 where card_id = ${param('card')} and agent_id = ${param('agent')}
      and expires_at <= ${param('now')}`,
)

/** Removes the caller's news about a card that it has just read (crew 4.3). */
export async function markRead(ctx: Context, card: string): Promise<void> {
  await forgetNewsOf(ctx, card)
  await lossSeen(ctx.db, { card, agent: ctx.caller.id, now: ctx.now() })
}
