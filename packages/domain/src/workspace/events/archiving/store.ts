import { dialect } from '@specboard/storage'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../../schema/database.ts'
import { hot } from '../../../schema/hot.ts'
import { removedOwner } from '../../../schema/removed-owner.ts'
import { revisedTables } from '../../../schema/revisions.ts'
import type { EventsTable } from '../../../schema/tables.ts'

/** A board's newest entries, which stay whatever their age: several operations examine them. */
export const newestKept = 2_000

/** Whether the record of an entry `e` exists: its entries stay as long as the record does. */
const recordExists = sql.join(
  [...revisedTables.values()].map(table => sql`exists (select 1 from ${sql.table(table)} r where r.id = e.entity_id)`),
  sql` or `,
)

/**
 * The condition for entries `e` that no operation reads except those that follow a log: they are not in the activity of
 * a card, and not about a record that exists (work 5.1).
 */
const isArchivable = sql`e.card_id is null and not (${recordExists})`

/** An entry as it is in the log. */
export type LogRow = Selectable<EventsTable>

/** How far the log of a board may be archived. */
export interface Reach {
  readonly board: string
  readonly upTo: number
}

/**
 * The boards whose logs have entries that may be archived: not the newest ones, and not what a webhook has yet to
 * queue.
 */
export async function archivableBoards(db: Db, keepCount: number): Promise<Reach[]> {
  const { rows } = await sql<Reach>`select board, case when queued < newest then queued else newest end as "upTo" from (
      select b.id as board, b.seq - ${sql.lit(keepCount)} as newest,
        coalesce((select min(w.cursor) from webhooks w where w.board_id = b.id), b.seq) as queued
      from boards b where b.owner_id <> ${removedOwner}) reached
    where newest > 0 and queued > 0 order by board`.execute(db)
  return rows
}

/** The number of entries examined in one read. */
const passedAtOnce = 2_000

const archivable = hot<{ board: string; after: number; upTo: number; before: string; limit: number }, LogRow>(
  (_, param) => sql<LogRow>`select e.* from events e
    where e.board_id = ${param('board')} and e.seq > ${param('after')} and e.seq <= ${param('upTo')}
      and e.created_at < ${param('before')}
      and ${isArchivable}
    order by e.seq limit ${param('limit')}`,
)

/** Entries to archive, and how far the log was examined. */
export interface Segment {
  readonly rows: readonly LogRow[]
  readonly reached: number
}

/** The next entries of a board that were written before a time and may be archived. */
export async function nextArchivable(
  db: Db,
  { board, upTo }: Reach,
  after: number,
  before: string,
  limit: number,
): Promise<Segment> {
  const end = Math.min(upTo, after + passedAtOnce)
  const rows = await archivable(db, { board, after, upTo: end, before, limit })
  return { rows, reached: rows.length === limit ? rows.at(-1)!.seq : end }
}

/** Removes entries that are in a file, and notes which file: in one unit of work. */
export async function removeArchived(
  db: Db,
  { board, file, rows, now }: { board: string; file: string; rows: readonly LogRow[]; now: string },
): Promise<void> {
  const ids = JSON.stringify(rows.map(({ id }) => id))
  const { numAffectedRows = 0n } = await sql`delete from events where ${dialect.inList(sql.ref('id'), ids)}`.execute(db)
  const positions = rows.flatMap(({ position }) => (position === null ? [] : [position]))
  const last = positions.length === 0 ? null : Math.max(...positions)
  await sql`insert into event_archives (board_id, file, last_seq, last_position, entries, created_at)
    values (${board}, ${file}, ${rows.at(-1)!.seq}, ${last}, ${Number(numAffectedRows)}, ${now})
    on conflict (board_id, file) do update set entries = event_archives.entries + excluded.entries,
      last_seq = excluded.last_seq, last_position = coalesce(excluded.last_position, event_archives.last_position)`.execute(
    db,
  )
}

/** Notes the entries that the log of an imported board lacks, because they had been archived before (work 5.1). */
export async function noteMissingEntries(db: Db, board: string, now: string): Promise<void> {
  const { rows } = await sql<{ missing: number | null }>`select max(seq) - min(seq) + 1 - count(*) as missing
    from events where board_id = ${board}`.execute(db)
  const missing = Number(rows[0]?.missing ?? 0)
  if (missing <= 0) return
  await sql`insert into event_archives (board_id, file, last_seq, entries, created_at)
    select ${board}, '', max(e.seq) - 1, ${sql.lit(missing)}, ${now} from events e
    where e.board_id = ${board} and e.seq > (select min(f.seq) from events f where f.board_id = ${board})
      and not exists (select 1 from events p where p.board_id = e.board_id and p.seq = e.seq - 1)`.execute(db)
}

/** The sequence number up to which entries of the board of a row of `boards` may be missing. */
export const archivedOn = sql<number | null>`(select max(last_seq) from event_archives where board_id = boards.id)`

const archivedPlace = hot<Record<never, never>, { last: number | null }>(
  () => sql<{ last: number | null }>`select max(last_position) as last from event_archives`,
)

/** The position up to which entries of any board may be missing. */
export const archivedPosition = async (db: Db): Promise<number> => (await archivedPlace(db, {}))[0]?.last ?? 0

/** What archiving entries from before a time would free. */
export interface Archivable {
  readonly entries: number
  readonly bytes: number
}

/** The estimated size of an entry without its texts but with its share of the indexes, bytes. */
const fixedBytes = 450

/** How many entries written before a time could be archived now, and about how many bytes they take (work 5.1). */
export async function countArchivable(db: Db, before: string): Promise<Archivable> {
  let [entries, bytes] = [0, 0]
  for (const { board, upTo } of await archivableBoards(db, newestKept)) {
    const { rows } = await sql<{ entries: number; bytes: number | null }>`select count(*) as entries, sum(${sql.lit(
      fixedBytes,
    )} + coalesce(octet_length(e.changes), 0) + coalesce(octet_length(e.details), 0)
        + coalesce(octet_length(e.domain), 0)) as bytes from events e
      where e.board_id = ${board} and e.seq <= ${upTo} and e.created_at < ${before} and ${isArchivable}`.execute(db)
    entries += Number(rows[0]!.entries)
    bytes += Number(rows[0]!.bytes ?? 0)
  }
  return { entries, bytes }
}
