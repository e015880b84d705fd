/** Checks that event logs are complete. */
import { sql } from 'kysely'
import type { Db } from './database.ts'
import { removedOwner } from './removed-owner.ts'

/** A board whose log has a gap, or ends at another number than the board's counter. */
export interface BrokenSequence {
  readonly board_id: string
  readonly name: string
  /** The number of the last event, by the board's counter. */
  readonly counted: number
  readonly first: number | null
  readonly last: number | null
  readonly events: number
}

/** The boards whose events are not numbered without a gap up to the board's counter. */
export async function brokenSequences(db: Db): Promise<BrokenSequence[]> {
  const { rows } = await sql<BrokenSequence>`select * from (
      select b.id as board_id, b.name, b.seq as counted, min(e.seq) as first, max(e.seq) as last, count(e.seq) as events,
        (select coalesce(sum(a.entries), 0) from event_archives a where a.board_id = b.id) as archived
      from boards b left join events e on e.board_id = b.id where b.owner_id <> ${removedOwner} group by b.id, b.name, b.seq) numbered
    where coalesce(last, 0) <> counted or case when archived = 0 then events <> coalesce(last - first + 1, 0)
      else events + archived not between last - first + 1 and last end order by board_id`.execute(db)
  return rows
}
