import { sql } from 'kysely'
import type { Member } from '../../../kernel/access/holders.ts'
import { boardSettings } from '../../../kernel/board-settings.ts'
import type { Context } from '../../../kernel/context.ts'
import { firstRefusal } from '../../../kernel/gates.ts'
import { workersOnCard, workersOnSprint, writersOfSpec } from '../../../planning/review/participants.ts'
import { gatesOfSpec as judgeSpecGates, readGateFacts } from '../../../planning/specs/gates.ts'
import { readSpec } from '../../../planning/specs/store.ts'
import { gatesOfSprint as judgeSprintGates, readGateFacts as readSprintFacts } from '../../../planning/sprints/gates.ts'
import { readSprint } from '../../../planning/sprints/store.ts'
import { coverageGap } from './coverage-gap.ts'
import { requiresValidation } from './hand-overs.ts'
import type { Step, StepCall } from './steps.ts'

/** The verdicts that records wait for; the inbox lists them by what each agent has already reviewed. */
export const verdicts: readonly Step[] = [
  {
    kind: 'spec_review',
    about: 'spec',
    status: 'review',
    call: { operation: 'move_spec', arguments: { status: 'approved' } },
  },
  {
    kind: 'spec_validation',
    about: 'spec',
    status: 'approved',
    where: sql`${requiresValidation}`,
    call: async ({ db }, { record }) => {
      const facts = await readGateFacts(db, await readSpec(db, record))
      const isCovered = coverageGap(facts) === null && firstRefusal(judgeSpecGates(facts, ['coverage'])) === null
      return isCovered ? { operation: 'submit_spec_validation' } : null
    },
  },
  {
    kind: 'spec_evaluation',
    about: 'spec',
    status: 'validated',
    call: async ({ db }, { record }) => {
      const facts = await readGateFacts(db, await readSpec(db, record))
      return firstRefusal(judgeSpecGates(facts, ['evaluation'])) === null
        ? null
        : { operation: 'submit_spec_evaluation' }
    },
  },
  {
    kind: 'sprint_evaluation',
    about: 'sprint',
    status: 'review',
    call: async ({ db }, { record }) => {
      const facts = await readSprintFacts(db, await readSprint(db, record))
      return firstRefusal(judgeSprintGates(facts, ['evaluation'])) === null
        ? null
        : { operation: 'submit_sprint_evaluation' }
    },
  },
  { kind: 'ideation_evaluation', about: 'ideation', status: 'evaluating', call: { operation: 'evaluate_ideation' } },
]

/** The agents among some that took no part in what they would review, if the board requires that (work 4). */
export async function apart(
  { db }: Context,
  { operation }: Pick<StepCall, 'operation'>,
  id: string,
  members: readonly Member[],
): Promise<readonly Member[]> {
  const [first] = members
  const work =
    operation === 'submit_task_validation'
      ? workersOnCard
      : operation === 'submit_spec_validation'
        ? writersOfSpec
        : operation === 'submit_sprint_evaluation'
          ? workersOnSprint
          : null
  if (work === null || first === undefined) return members
  const board_id = first.access.way!.boardId
  const settings = await boardSettings(db, board_id)
  const approval = operation === 'submit_task_validation' ? settings.approval_card_validation : 'anyone'
  if (approval === 'person') return members.filter(({ kind }) => kind === 'person')
  if (!settings.require_separate_reviewer && approval !== 'separate') return members
  const took = new Set((await work(db, { id, board_id })).map(({ agent_id }) => agent_id))
  return members.filter(member => !took.has(member.id))
}
