import { blocked } from './errors.ts'

/** One row of a state table: a permitted move, and the gates it must pass, in order. */
export interface Transition<State extends string, Gate extends string = never> {
  readonly from: State
  readonly to: State
  readonly gates?: readonly Gate[]
}

/** A state table, interpreted alike for ideations, refinements, specs and sprints. */
export interface StateMachine<State extends string, Gate extends string = never> {
  readonly entity: string
  readonly states: readonly State[]
  readonly transitions: readonly Transition<State, Gate>[]
  /** The statuses that a record can move to, in the order of the table. */
  allowed(from: State): State[]
  /**
   * The row of a move.
   * @throws DomainError INVALID_TRANSITION with `from`, `to`, `allowed` when there is none
   */
  transition(from: State, to: State): Transition<State, Gate>
}

/** Makes the engine of a state table. The docs draw their diagrams from the same table. */
export function stateMachine<const State extends string, const Gate extends string = never>(
  entity: string,
  states: readonly State[],
  transitions: readonly Transition<State, Gate>[],
): StateMachine<State, Gate> {
  const allowed = (from: State) => transitions.filter(row => row.from === from).map(row => row.to)
  return {
    entity,
    states,
    transitions,
    allowed,
    transition(from, to) {
      const row = transitions.find(candidate => candidate.from === from && candidate.to === to)
      if (row !== undefined) return row
      const targets = allowed(from)
      const way = targets.length === 0 ? 'it is final' : `it can move to ${targets.join(', ')}`
      throw blocked('INVALID_TRANSITION', `This ${entity} is ${from} and cannot move to ${to}; ${way}.`, {
        from,
        to,
        allowed: targets,
      })
    },
  }
}
