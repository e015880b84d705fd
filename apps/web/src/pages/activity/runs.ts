import type { BoardEvent } from '../../data/stream.ts'

/** What somebody did on end: one event, or several of a kind. */
export type Run = readonly [BoardEvent, ...BoardEvent[]]

/** How many of a kind stand on their own before they are folded. */
const fewest = 4

const isSame = (a: BoardEvent, b: BoardEvent): boolean =>
  a.actor_id === b.actor_id && a.action === b.action && a.entity_type === b.entity_type

/** Events in their order, with what somebody did four times or more on end, such as an import, as one. */
export function foldedRuns(events: readonly BoardEvent[]): readonly Run[] {
  const runs: [BoardEvent, ...BoardEvent[]][] = []
  for (const event of events) {
    const run = runs.at(-1)
    if (run !== undefined && isSame(run[0], event)) run.push(event)
    else runs.push([event])
  }
  return runs.flatMap(run => (run.length < fewest ? run.map((event): Run => [event]) : [run]))
}
