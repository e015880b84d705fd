import { blocked, type DomainError } from './errors.ts'

/** A row of a state table: a permitted transition and the gates that it must pass, in order. */
export interface Transition<State extends string, Gate extends string = never> {
  readonly from: State
  readonly to: State
  readonly gates?: readonly Gate[]
}

/** The status of abandoned records: no path leads through it. */
const givenUp = 'cancelled'

/** The state machine of a kind of record: ideation, refinement, spec or sprint. */
export interface StateMachine<State extends string, Gate extends string = never> {
  readonly entity: string
  readonly states: readonly State[]
  readonly transitions: readonly Transition<State, Gate>[]
  /** The statuses that a record can change to, in the order of the table. */
  allowed(from: State): State[]
  /** INVALID_TRANSITION with `from`, `to`, `allowed` when the table has no such row; null when it has. */
  refusal(from: State, to: State): DomainError | null
  /** The gates of a transition, in order; empty if the table has no such row. */
  gates(from: State, to: State): readonly Gate[]
  /**
   * The statuses on the shortest path to another status, ending with it; no path leads through the cancelled status. Of
   * equally short paths, it is the one that comes first in the table. Undefined if there is no path.
   */
  way(from: State, to: State): readonly State[] | undefined
}

/**
 * Makes a state machine from its table. The diagrams in the docs are drawn from the same table.
 *
 * @example
 * const door = stateMachine('door', ['open', 'closed'], [{ from: 'open', to: 'closed', gates: ['empty'] }])
 * door.gates('open', 'closed') // ['empty']; the caller asks them
 * door.refusal('closed', 'open') // INVALID_TRANSITION
 */
export function stateMachine<const State extends string, const Gate extends string = never>(
  entity: string,
  states: readonly State[],
  transitions: readonly Transition<State, Gate>[],
): StateMachine<State, Gate> {
  const allowed = (from: State) => transitions.filter(row => row.from === from).map(row => row.to)
  const find = (from: State, to: State) => transitions.find(row => row.from === from && row.to === to)
  function refusal(from: State, to: State): DomainError | null {
    if (find(from, to) !== undefined) return null
    const targets = allowed(from)
    const way = targets.length === 0 ? 'it is final' : `it can move to ${targets.join(', ')}`
    return blocked('INVALID_TRANSITION', `This ${entity} is ${from} and cannot move to ${to}; ${way}.`, {
      from,
      to,
      allowed: targets,
    })
  }
  function way(from: State, to: State): readonly State[] | undefined {
    if (from === to) return undefined
    let ways: readonly (readonly State[])[] = [[]]
    const seen = new Set([from])
    while (ways.length > 0) {
      const longer = ways.flatMap(steps => allowed(steps.at(-1) ?? from).map(next => [...steps, next]))
      const found = longer.find(steps => steps.at(-1) === to)
      if (found !== undefined) return found
      ways = longer.filter(steps => isNew(steps.at(-1)!))
    }
    return undefined
    function isNew(state: State): boolean {
      if (seen.has(state) || state === givenUp) return false
      seen.add(state)
      return true
    }
  }
  return {
    entity,
    states,
    transitions,
    allowed,
    refusal,
    gates: (from, to) => find(from, to)?.gates ?? [],
    way,
  }
}
