/** The state tables that the docs draw. */

import type { StateMachine } from './kernel/state-machine.ts'
import { ideationStates } from './planning/ideations/rules.ts'
import { refinementStates } from './planning/refinements/rules.ts'
import { specStates } from './planning/specs/states.ts'
import { sprintStates } from './planning/sprints/rules.ts'

/** The state tables of ideations, refinements, specs and sprints. */
export const stateMachines: readonly Pick<StateMachine<string, string>, 'entity' | 'states' | 'transitions'>[] = [
  ideationStates,
  refinementStates,
  specStates,
  sprintStates,
]

/** The table of gated card moves: moves without a row are free (cards 4.2). */
export { gatedMoves, type MoveRow } from './delivery/cards/gates/transitions.ts'
