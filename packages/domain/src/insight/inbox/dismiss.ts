import type { features } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Implementation } from '../../kernel/implement.ts'
import { hot } from '../../schema/hot.ts'
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

const kindOf = (id: string): string => id.slice(0, id.indexOf(':'))

const sourceOf = (id: string): string => id.slice(id.indexOf(':') + 1)

/** dismiss_inbox_items: news go, whatever was the matter; other items go with their cause (crew 4.3). */
export const dismissInboxItems: Implementation<typeof features.me.dismiss_inbox_items> = async ({ body }, ctx) => {
  const sent = [...new Set(body.ids)]
  const isNews = (id: string) => (newsKinds as readonly string[]).includes(kindOf(id))
  const going = sent.filter(isNews)
  if (going.length > 0) {
    await dismissed(ctx.db, { agent: ctx.caller.id, ids: JSON.stringify(going) })
    const lost = going.filter(id => kindOf(id) === 'claim_lost').map(sourceOf)
    if (lost.length > 0) await lossesSeen(ctx.db, { agent: ctx.caller.id, ids: JSON.stringify(lost), now: ctx.now() })
  }
  return { dismissed: going, not_dismissible: sent.filter(id => !isNews(id)) }
}
