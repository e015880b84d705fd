import type { BoardEvent } from '../../data/stream.ts'

/** Consecutive events of the same kind by the same actor, or a single event. */
export type Run = readonly [BoardEvent, ...BoardEvent[]]

/** The minimum number of events of a kind that are folded. */
const minRunLength = 4

const isSame = (a: BoardEvent, b: BoardEvent): boolean =>
  a.actor_id === b.actor_id && a.action === b.action && a.entity_type === b.entity_type

/** Events in order, with four or more of a kind by the same actor, such as an import, folded into one. */
export function foldedRuns(events: readonly BoardEvent[]): readonly Run[] {
  const runs: [BoardEvent, ...BoardEvent[]][] = []
  for (const event of events) {
    const run = runs.at(-1)
    if (run !== undefined && isSame(run[0], event)) run.push(event)
    else runs.push([event])
  }
  return runs.flatMap(run => (run.length < minRunLength ? run.map((event): Run => [event]) : [run]))
}
