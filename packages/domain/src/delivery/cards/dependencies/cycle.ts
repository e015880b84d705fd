/** A dependency link: a card waits for another one. */
export interface DependencyLink {
  readonly card_id: string
  readonly depends_on_id: string
}

/**
 * The cycle that a new link would close, starting and ending with its card; null when it closes none.
 * @param links all links reachable from `link.depends_on_id`
 */
export function cycleClosedBy(link: DependencyLink, links: readonly DependencyLink[]): string[] | null {
  const { card_id: goal, depends_on_id: start } = link
  const waitingFor = Map.groupBy(links, ({ card_id }) => card_id)
  const cameFrom = new Map<string, string>([[start, goal]])
  const reached = [start]
  for (const at of reached) {
    if (at === goal) return pathTo(goal, cameFrom)
    for (const { depends_on_id: next } of waitingFor.get(at) ?? []) {
      if (cameFrom.has(next)) continue
      cameFrom.set(next, at)
      reached.push(next)
    }
  }
  return null
}

function pathTo(goal: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const path = [goal]
  do path.unshift(cameFrom.get(path[0]!)!)
  while (path[0] !== goal)
  return path
}
