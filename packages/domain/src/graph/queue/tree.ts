import { type ArtifactType, artifactTypes, type KgPendingNode } from '@specboard/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { refOf } from '../../schema/refs.ts'

type TreeNode = z.input<typeof KgPendingNode>
type Status = TreeNode['status']

/** A record and its state in the queue. */
interface RecordRow {
  readonly type: ArtifactType
  readonly id: string
  readonly ref: string
  readonly title: string
  readonly card_type: string | null
  /** The record it is shown below: for a spec its refinement; for a card its sprint, else its spec. */
  readonly parent: string | null
  readonly created_at: string
  readonly entry_id: string | null
  readonly entry_status: 'pending' | 'claimed' | 'paused' | null
  readonly triggered_at: string | null
  readonly attempts: number | null
  readonly source: string | null
  readonly last_error: string | null
  readonly dead: number
  readonly done: number
}

const parents: Readonly<Record<ArtifactType, string>> = {
  ideation: 'null',
  refinement: 'r.ideation_id',
  spec: 'r.refinement_id',
  sprint: 'r.spec_id',
  card: 'coalesce(r.sprint_id, r.spec_id)',
}

const recordsOf = hot<{ board: string }, RecordRow>((_, param) => {
  const selects = artifactTypes.map(
    type => sql`select ${sql.lit(type)} as type, r.id, ${refOf('r')} as ref, r.title,
          ${sql.raw(type === 'card' ? 'r.card_type' : 'null')} as card_type, ${sql.raw(parents[type])} as parent,
          r.created_at, q.id as entry_id, q.status as entry_status, q.triggered_at, q.attempts, q.source, q.last_error,
          exists (select 1 from kg_dead_letters d where d.board_id = r.board_id
            and d.artifact_type = ${sql.lit(type)} and d.artifact_id = r.id) as dead,
          exists (select 1 from kg_sessions s where s.board_id = r.board_id and s.artifact_type = ${sql.lit(type)}
            and s.artifact_id = r.id and s.undone_at is null) as done
        from ${sql.table(`${type}s`)} r left join kg_queue q on q.artifact_type = ${sql.lit(type)} and q.artifact_id = r.id
        where r.board_id = ${param('board')} and r.archived = 0`,
  )
  return sql<RecordRow>`select * from (${sql.join(selects, sql` union all `)}) records order by created_at, id`
})

/** The status of a record: from its entry, else from a dead letter, else from a session that is not undone. */
export function statusOf(record: {
  readonly entry_status: 'pending' | 'claimed' | 'paused' | null
  readonly dead: number
  readonly done: number
}): Status {
  if (record.entry_status !== null) return record.entry_status
  if (record.dead === 1) return 'failed'
  return record.done === 1 ? 'done' : 'not_queued'
}

const levelNames = {
  ideation: 'ideations',
  refinement: 'refinements',
  spec: 'specs',
  sprint: 'sprints',
  card: 'cards',
} as const

function countLevels(records: readonly RecordRow[]) {
  const empty = () => ({ pending: 0, in_progress: 0, done: 0, failed: 0, paused: 0, not_queued: 0 })
  const levels = { ideations: empty(), refinements: empty(), specs: empty(), sprints: empty(), cards: empty() }
  for (const record of records) {
    const status = statusOf(record)
    levels[levelNames[record.type]][status === 'claimed' ? 'in_progress' : status]++
  }
  return levels
}

/** The level at which each kind of record is shown; a card below a sprint is one level deeper. */
const levelOf: Readonly<Record<ArtifactType, number>> = { ideation: 1, refinement: 2, spec: 3, sprint: 4, card: 4 }

/** The order of the roots of the tree, by kind; roots of one kind are sorted by age. */
const rootOrder: readonly ArtifactType[] = ['ideation', 'refinement', 'spec', 'sprint', 'card']

/** The records of a board as a tree, with their state in the graph (knowledge-graph 4.5). */
export async function readPendingTree(db: Db, board: string, depth: number, nowMs: number) {
  const records = await recordsOf(db, { board })
  const ids = new Set(records.map(({ id }) => id))
  const below = Map.groupBy(records, ({ parent }) => (parent !== null && ids.has(parent) ? parent : null))
  const node = (record: RecordRow, level: number): TreeNode => ({
    id: record.id,
    ref: record.ref,
    type: record.type,
    ...(record.card_type !== null && { card_type: record.card_type }),
    title: record.title,
    status: statusOf(record),
    queued_age_seconds:
      record.triggered_at === null ? null : Math.max(0, Math.floor((nowMs - Date.parse(record.triggered_at)) / 1_000)),
    retry_count: record.attempts ?? 0,
    layer: record.source,
    last_error: record.last_error,
    queue_entry_id: record.entry_id,
    children: children(record, level),
  })
  const children = (record: RecordRow, level: number): TreeNode[] =>
    (below.get(record.id) ?? [])
      .toSorted((a, b) => levelOf[a.type] - levelOf[b.type] || rootOrder.indexOf(a.type) - rootOrder.indexOf(b.type))
      .flatMap(child => {
        const childLevel = Math.max(level + 1, levelOf[child.type])
        return childLevel > depth ? [] : [node(child, childLevel)]
      })
  const roots = (below.get(null) ?? []).toSorted((a, b) => rootOrder.indexOf(a.type) - rootOrder.indexOf(b.type))
  const levels = countLevels(records)
  return {
    board_id: board,
    depth,
    total_pending: Object.values(levels).reduce(
      (sum, level) => sum + level.pending + level.in_progress + level.paused,
      0,
    ),
    levels,
    tree: roots.map(root => node(root, levelOf[root.type])),
  }
}
