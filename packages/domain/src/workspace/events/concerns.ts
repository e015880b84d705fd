/** The events that concern an agent (crew 5.6). */
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { hot } from '../../schema/hot.ts'
import type { Event } from './rules.ts'

const assigned = ['cards', 'specs', 'refinements', 'ideations'] as const

const concerning = hot<{ ids: string; agent: string; now: string }, { id: string }>((_, param) => {
  const among = (column: string) => dialect.inList(sql.ref(column), sql<string>`${param('ids')}`)
  const me = param('agent')
  const records = assigned.map(
    table => sql`select r.id from ${sql.table(table)} r where ${among('r.id')}
      and (r.assignee_id = ${me} or (r.assignee_id is null and r.created_by = ${me}))`,
  )
  return sql<{ id: string }>`${sql.join(records, sql` union all `)}
    union all select s.id from sprints s where ${among('s.id')} and s.created_by = ${me}
    union all select k.card_id from claims k where ${among('k.card_id')} and k.agent_id = ${me}
      and k.expires_at > ${param('now')}
    union all select q.owner_id from questions q where ${among('q.owner_id')}
      and (q.asked_by = ${me} or q.answered_by = ${me})`
})

/**
 * The events on records that the caller holds, is responsible for, is assigned to, or asked or answered on, except the
 * caller's own events.
 */
export async function concerningMe<Row extends { readonly event: Event }>(
  { db, caller, now }: Pick<Context, 'db' | 'caller'> & { readonly now: string },
  rows: readonly Row[],
): Promise<Row[]> {
  const others = rows.filter(({ event }) => event.actor_id !== caller.id)
  if (others.length === 0) return []
  const ids = JSON.stringify([...new Set(others.map(({ event }) => event.entity_id))])
  const found = new Set((await concerning(db, { ids, agent: caller.id, now })).map(({ id }) => id))
  return others.filter(({ event }) => found.has(event.entity_id))
}
