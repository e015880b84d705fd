/** What happened to each record, in one line (crew 5.6). */
import type { EventDigest } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { tables } from '../../schema/tables/all.ts'
import type { Event } from './rules.ts'

type Line = z.output<typeof EventDigest>

const titles = hot<{ ids: string }, { id: string; title: string }>(
  (_, param) =>
    sql<{ id: string; title: string }>`${sql.join(
      tables.flatMap(({ name, title }) =>
        title === undefined
          ? []
          : [
              sql`select id, ${sql.ref(title)} as title from ${sql.table(name)}
                where ${dialect.inList(sql.ref('id'), sql<string>`${param('ids')}`)}`,
            ],
      ),
      sql` union all `,
    )}`,
)

/** A line for each record that events are about, the one with the newest event first. */
export async function digestOf(db: Db, events: readonly Event[]): Promise<Line[]> {
  const newestFirst = events.toSorted((one, other) => other.sequence - one.sequence)
  const byRecord = Map.groupBy(newestFirst, ({ entity_id }) => entity_id)
  const titleById = new Map(
    (await titles(db, { ids: JSON.stringify([...byRecord.keys()]) })).map(({ id, title }) => [id, title]),
  )
  return [...byRecord].map(([id, group]) => ({ ...lineOf(group), title: titleById.get(id) ?? null }))
}

/** A summary of some events of one record, newest first. */
export function lineOf(events: readonly Event[]): Omit<Line, 'title'> {
  const moves = events.filter(({ details }) => typeof details?.to_status === 'string')
  return {
    ref: events[0]!.ref,
    from: statusIn(moves.at(-1), 'from_status'),
    to: statusIn(moves[0], 'to_status'),
    who: [...new Set(events.map(({ actor_name }) => actor_name))],
    events: events.length,
  }
}

function statusIn(event: Event | undefined, member: 'from_status' | 'to_status'): string | null {
  const status = event?.details?.[member]
  return typeof status === 'string' ? status : null
}
