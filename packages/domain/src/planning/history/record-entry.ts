import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Entry } from '../../kernel/events.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'

/** The kinds of planning record, which have questions, knowledge, snapshots and versions. */
export type PlanningType = 'ideation' | 'refinement' | 'spec'

/** The fields of a record that its entry needs. */
export interface EntryRecord {
  readonly id: string
  readonly board_id: string
  readonly version: number
}

/** Appends an entry about a planning record or sprint, with the record's current version in the history. */
export const recordOn = (
  ctx: Context,
  type: PlanningType | 'sprint',
  { id, board_id, version }: EntryRecord,
  entry: Pick<Entry, 'activity' | 'history' | 'domain' | 'workOn'>,
): Promise<void> =>
  ctx.record({
    boardId: board_id,
    entity: { type, id },
    ...entry,
    ...(entry.history !== undefined && { history: { ...entry.history, version } }),
  })

/** Appends an entry about a part of a planning record; the record's version does not change. */
export async function recordOnPart(
  ctx: Context,
  type: PlanningType,
  { id, board_id }: Omit<EntryRecord, 'version'>,
  entry: Pick<Entry, 'activity' | 'history' | 'domain' | 'workOn'>,
): Promise<void> {
  await recordOn(ctx, type, { id, board_id, version: await versionOf(ctx.db, type, id) }, entry)
}

const versionQuery = (table: 'ideations' | 'refinements' | 'specs') =>
  hot<{ id: string }, { version: number }>(
    (_, param) => sql<{ version: number }>`select version from ${sql.table(table)} where id = ${param('id')}`,
  )

const versions = {
  ideation: versionQuery('ideations'),
  refinement: versionQuery('refinements'),
  spec: versionQuery('specs'),
}

/** The current version of a planning record. */
async function versionOf(db: Db, type: PlanningType, id: string): Promise<number> {
  const [row] = await versions[type](db, { id })
  if (row === undefined) throw notFound(type, id)
  return row.version
}
