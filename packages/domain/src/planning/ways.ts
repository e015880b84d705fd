/** The paths of moves with `through` (crew 4.7). */
import type { FindStatusPath } from '../kernel/service/composition.ts'
import type { StateMachine } from '../kernel/state-machine.ts'
import { ideationStates } from './ideations/rules.ts'
import { refinementStates } from './refinements/rules.ts'
import { specStates } from './specs/states.ts'
import { sprintStates } from './sprints/rules.ts'

const wayOf =
  <State extends string, Gate extends string>({ states, way }: StateMachine<State, Gate>): FindStatusPath =>
  (from, to) => {
    const [start, end] = [from, to].map(text => states.find(state => state === text))
    return start === undefined || end === undefined ? undefined : way(start, end)
  }

/** The statuses on the path to a target, by the operation that moves there. */
export const ways: Readonly<Record<string, FindStatusPath>> = {
  move_ideation: wayOf(ideationStates),
  move_refinement: wayOf(refinementStates),
  move_spec: wayOf(specStates),
  move_sprint: wayOf(sprintStates),
}
