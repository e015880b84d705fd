import { sql } from 'kysely'
import type { FollowerFacts, Rebuilder } from '../kernel/followers/facts.ts'
import { sampleGraph } from './backfill/sample.ts'
import { setAside } from './queue/set-aside.ts'

/** The number of records of each type that are compared with the graph. */
const perType = 50

/** How many dead letters are listed. */
const listed = 20

export const graphFacts: FollowerFacts = {
  name: 'graph',
  oldest: sql<string | null>`select min(triggered_at) from kg_queue`,
  backlog: {
    metric: 'graph_behind_records',
    help: 'Records that wait for the knowledge graph.',
    count: sql<number>`select count(*) from kg_queue`,
    problem: (count, { kg_queue_alert_threshold: most }) =>
      count > most ? `the knowledge graph is ${count} records behind` : undefined,
  },
  checks: [
    {
      name: 'graph',
      stake: 'derived',
      /** Compares the graph with the records that changed last. */
      look: async db => {
        const { compared, stale } = await sampleGraph(db, perType)
        if (stale.length === 0) return [{ ok: true, says: `agrees with ${compared} records` }]
        const boards = new Set(stale.map(({ boardId }) => boardId))
        const says = `stale for ${stale.length} of ${compared} records`
        return [{ ok: false, says, rebuild: { does: 'rebuilds it', inGraph: rebuildOf(boards) } }]
      },
    },
    {
      name: 'set aside',
      stake: 'derived',
      /** Lists the records that the graph lacks because processing them failed for good, or ended the process twice (walls 3). */
      look: async db => {
        const { total, first } = await setAside(db, listed)
        if (total === 0) return [{ ok: true, says: 'no record' }]
        const records = first.map(
          ({ type, id, boardId, reason }) => `${type} ${id} of the board ${boardId} (${reason})`,
        )
        const more = total > first.length ? `; and ${total - first.length} more` : ''
        const says = `${total} records are not in the graph: ${records.join('; ')}${more}. Change them, or retry them with retry_kg_pending`
        return [{ ok: false, says }]
      },
    },
  ],
}

/** Rebuilds the graphs of boards. */
const rebuildOf =
  (boards: ReadonlySet<string>) =>
  async (graph: Rebuilder): Promise<string> => {
    const errors: string[] = []
    for (const board of boards) errors.push(...((await graph.rebuild(board))?.errors ?? []))
    if (errors.length > 0) throw new Error(errors.join('; '))
    return `rebuilt for ${boards.size} boards`
  }
