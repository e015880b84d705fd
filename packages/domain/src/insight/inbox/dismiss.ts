import type { features } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { hot } from '../../schema/hot.ts'
import { kindOf, sourceOf } from './rules.ts'
import { notifyInbox } from './snooze.ts'
import { newsKinds } from './sources/news.ts'

const dismissed = hot<{ agent: string; ids: string }, never>(
  (_, param) =>
    sql<never>`delete from news where agent_id = ${param('agent')}
      and ${dialect.inList(sql`kind || ':' || source`, sql<string>`${param('ids')}`)}`,
)

const lossesSeen = hot<{ agent: string; ids: string; now: string }, never>(
  (_, param) =>
    sql<never>`update claims set lost_seen = 1 where agent_id = ${param('agent')} and expires_at <= ${param('now')}
      and ${dialect.inList(sql.ref('card_id'), sql<string>`${param('ids')}`)}`,
)

const mentionsSeen = hot<{ agent: string; ids: string }, never>(
  (_, param) =>
    sql<never>`update mentions set is_open = 0 where agent_id = ${param('agent')}
      and ${dialect.inList(sql.ref('id'), sql<string>`${param('ids')}`)}`,
)

const endsSeen = hot<{ person: string; ids: string }, never>(
  (_, param) =>
    sql<never>`update connections set unseen_end = 0 where person_id = ${param('person')} and unseen_end = 1
      and ${dialect.inList(sql.ref('id'), sql<string>`${param('ids')}`)}`,
)

/** How long dismissals of overlaps are kept, ms: overlaps are reported until they end, and such old ones have ended. */
const forgottenAfterMs = 60 * 24 * 3_600_000

/** Records that the caller no longer wants to hear about overlaps (harness 5.4). */
async function dismissOverlaps(ctx: Context, sources: readonly string[]): Promise<void> {
  if (sources.length === 0) return
  const { db, caller } = ctx
  const now = ctx.now()
  const rows = sources.map(source => ({ agent_id: caller.id, source, at: now }))
  await db
    .insertInto('overlap_dismissals')
    .values(rows)
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const before = new Date(Date.parse(now) - forgottenAfterMs).toISOString()
  await db.deleteFrom('overlap_dismissals').where('agent_id', '=', caller.id).where('at', '<', before).execute()
}

/** The kinds of items that disappear when they are dismissed. */
const dismissible: ReadonlySet<string> = new Set([...newsKinds, 'overlap', 'mention', 'connection_ended'])

/** dismiss_inbox_items: dismissed news disappears; other items only disappear with their cause (crew 4.3). */
export const dismissInboxItems: Implementation<typeof features.me.dismiss_inbox_items> = async ({ body }, ctx) => {
  const ids = [...new Set(body.ids)]
  const isNews = (id: string) => dismissible.has(kindOf(id))
  const news = ids.filter(isNews)
  if (news.length > 0) {
    await dismissed(ctx.db, { agent: ctx.caller.id, ids: JSON.stringify(news) })
    await dismissOverlaps(ctx, news.filter(id => kindOf(id) === 'overlap').map(sourceOf))
    const mentioned = news.filter(id => kindOf(id) === 'mention').map(sourceOf)
    if (mentioned.length > 0) await mentionsSeen(ctx.db, { agent: ctx.caller.id, ids: JSON.stringify(mentioned) })
    const ended = news.filter(id => kindOf(id) === 'connection_ended').map(sourceOf)
    if (ended.length > 0) await endsSeen(ctx.db, { person: ctx.caller.id, ids: JSON.stringify(ended) })
    const lost = news.filter(id => kindOf(id) === 'claim_lost').map(sourceOf)
    if (lost.length > 0) await lossesSeen(ctx.db, { agent: ctx.caller.id, ids: JSON.stringify(lost), now: ctx.now() })
    notifyInbox(ctx)
  }
  return { dismissed: news, not_dismissible: ids.filter(id => !isNews(id)) }
}
