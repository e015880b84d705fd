import { sql } from 'kysely'
import type { Member } from '../../../kernel/access/holders.ts'
import type { ApprovalSetting } from '../../../kernel/approval-settings.ts'
import { boardSettings } from '../../../kernel/board-settings.ts'
import type { Context } from '../../../kernel/context.ts'
import { firstRefusal } from '../../../kernel/gates.ts'
import {
  workersOnCard,
  workersOnSprint,
  writersOfSpec,
  writersSinceReview,
} from '../../../planning/review/participants.ts'
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

/** What somebody approves by a call: whose work it is, and the setting that says who may (people 1.3). */
interface Approved {
  readonly work: typeof workersOnCard
  /** Without one, separate review alone decides. */
  readonly setting?: ApprovalSetting
  /** Whether separate review counts, too (work 4). */
  readonly isReviewed?: boolean
}

const validated: Approved = { work: writersOfSpec, setting: 'approval_spec_validation' }

/** What calls approve, those of a move by its target. */
const approvedBy: Readonly<Partial<Record<string, Approved>>> = {
  submit_task_validation: { work: workersOnCard, setting: 'approval_card_validation', isReviewed: true },
  submit_spec_validation: { ...validated, isReviewed: true },
  submit_sprint_evaluation: { work: workersOnSprint, isReviewed: true },
  'move_spec approved': { work: writersSinceReview, setting: 'approval_spec' },
  'move_spec validated': validated,
  'move_spec done': { work: writersSinceReview, setting: 'approval_done' },
  'move_card done': { work: workersOnCard, setting: 'approval_done' },
}

/** The agents among some that could approve what a call is about: apart from its work, or persons (work 4, people 1.3). */
export async function apart(
  { db }: Context,
  { operation, arguments: args = {} }: Pick<StepCall, 'operation' | 'arguments'>,
  id: string,
  members: readonly Member[],
): Promise<readonly Member[]> {
  const [first] = members
  const target = args.status ?? args.target_status
  const approved = approvedBy[target === undefined ? operation : `${operation} ${String(target)}`]
  if (approved === undefined || first === undefined) return members
  const board_id = first.access.way!.boardId
  const settings = await boardSettings(db, board_id)
  const value = approved.setting === undefined ? 'anyone' : settings[approved.setting]
  const isSeparated = value === 'separate' || (approved.isReviewed === true && settings.require_separate_reviewer)
  const could = value === 'person' ? members.filter(({ kind }) => kind === 'person') : members
  if (!isSeparated) return could
  const took = new Set((await approved.work(db, { id, board_id })).map(({ agent_id }) => agent_id))
  return could.filter(member => !took.has(member.id))
}
