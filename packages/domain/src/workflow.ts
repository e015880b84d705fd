/** The state tables of the chain, as the docs draw them. */
import { ideationStates } from './ideations/rules.ts'
import { refinementStates } from './refinements/rules.ts'
import { specStates } from './specs/states.ts'
import { sprintStates } from './sprints/rules.ts'
import type { StateMachine } from './state-machine.ts'

/** The state tables of ideations, refinements, specs and sprints. */
export const stateMachines: readonly Pick<StateMachine<string, string>, 'entity' | 'states' | 'transitions'>[] = [
  ideationStates,
  refinementStates,
  specStates,
  sprintStates,
]

/** The table of a card's moves: those without a row are free (cards 4.2). */
export { gatedMoves, type MoveRow } from './cards/moves.ts'
