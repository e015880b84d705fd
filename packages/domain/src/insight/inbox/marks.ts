/** Somebody's marks on the items of their inbox: which are read, and which are put away (board 1.1). */
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { Flag } from '../../schema/columns.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { insertRows } from '../../schema/rows.ts'
import { sameBoard } from '../../schema/same-board.ts'
import type { InboxMarksTable } from '../../schema/tables.ts'
import { type InboxRow, idOf } from './rules.ts'

/** A mark, and whether somebody else has changed the record that it is about. */
export interface Mark extends InboxMarksTable {
  has_changed: Flag
}

const changed = dialect.flag(sql`(m.after_seq is not null and exists (select 1 from events e
  where e.entity_id = m.record_id and e.seq > m.after_seq and e.actor_id <> m.agent_id
    and ${sameBoard('e', 'm')}))`)

const ofAgent = hot<{ agent: string }, Mark>(
  (_, param) =>
    sql<Mark>`select m.*, ${changed} as has_changed from inbox_marks m where m.agent_id = ${param('agent')}`,
)

const snoozedOf = hot<{ agent: string }, Mark>(
  (_, param) =>
    sql<Mark>`select m.*, ${changed} as has_changed from inbox_marks m
      where m.agent_id = ${param('agent')} and m.is_snoozed = 1`,
)

/** All marks of the caller. */
export const marksOf = async (ctx: Context): Promise<Marks> =>
  new Marks(await ofAgent(ctx.db, { agent: ctx.caller.id }), ctx.now())

/** The marks of the caller that put items away, without those of read items. */
export const snoozesOf = async (ctx: Context): Promise<Marks> =>
  new Marks(await snoozedOf(ctx.db, { agent: ctx.caller.id }), ctx.now())

type MarkedItem = Pick<InboxRow, 'kind' | 'source' | 'since'>

/**
 * The marks of one agent as of a given time. A mark is valid as long as its item has been waiting since the same time.
 */
export class Marks {
  readonly rows: readonly Mark[]
  readonly #byItem: ReadonlyMap<string, Mark>
  readonly #now: string

  constructor(rows: readonly Mark[], now: string) {
    this.rows = rows
    this.#byItem = new Map(rows.map(row => [row.item_id, row]))
    this.#now = now
  }

  #of(item: MarkedItem): Mark | undefined {
    if (this.rows.length === 0) return undefined
    const mark = this.#byItem.get(idOf(item))
    return mark?.since === item.since ? mark : undefined
  }

  #holdsAway({ is_snoozed, until, has_changed }: Mark): boolean {
    return is_snoozed === 1 && has_changed === 0 && (until === null || until > this.#now)
  }

  /** Whether nobody has read an item since it came, or came back. */
  isUnread(item: MarkedItem): boolean {
    return this.#of(item)?.is_read !== 1
  }

  /** The mark of an item that is put away. */
  snooze(item: MarkedItem): Mark | undefined {
    const mark = this.#of(item)
    return mark !== undefined && this.#holdsAway(mark) ? mark : undefined
  }

  /** When an item that was put away came back, as far as is known; undefined if it was not put away, or still is. */
  backSince(item: MarkedItem): string | undefined {
    const mark = this.#of(item)
    if (mark?.is_snoozed !== 1 || this.#holdsAway(mark)) return undefined
    return mark.until !== null && mark.until <= this.#now ? mark.until : this.#now
  }

  /** When the next item comes back merely because time passes; null if none does. */
  get nextAt(): string | null {
    const times = this.rows.flatMap(mark => (mark.until !== null && this.#holdsAway(mark) ? [mark.until] : []))
    return times.toSorted()[0] ?? null
  }
}

const removed = hot<{ agent: string; ids: string }, never>(
  (_, param) =>
    sql<never>`delete from inbox_marks where agent_id = ${param('agent')}
      and ${dialect.inList(sql.ref('item_id'), sql<string>`${param('ids')}`)}`,
)

/** Replaces the marks of some items. */
export async function replaceMarks(
  db: Db,
  agent: string,
  ids: readonly string[],
  rows: readonly InboxMarksTable[],
): Promise<void> {
  if (ids.length > 0) await removed(db, { agent, ids: JSON.stringify(ids) })
  await insertRows(db, 'inbox_marks', rows)
}
