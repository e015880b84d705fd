import type { ApprovalSetting, Approvals } from '../../kernel/approval-settings.ts'
import { archivedRefusal } from '../../kernel/archived.ts'
import { firstRefusal, type Ruling, ruling } from '../../kernel/gates.ts'
import type { Effect, RecordGates, Requester } from '../../kernel/record-gates.ts'
import type { Db } from '../../schema/database.ts'
import { anyValid } from '../evaluation.ts'
import { type Approval, approvalGate } from '../review/approvals.ts'
import { writersOfSpec, writersSinceReview } from '../review/participants.ts'
import { type Participation, reviewerGate } from '../review/rules.ts'
import { type GateFacts, gatesOfSpec, readGateFacts } from './gates.ts'
import { lockedFields } from './locked-fields.ts'
import { fixedOfStanding, standingRefusal } from './standing.ts'
import { isEditable, notApproved, notValidated, resultsNotOpen, specStates } from './states.ts'
import { readSpec, type SpecRecord, type Status } from './store.ts'

/** What the gates of a spec's moves and of its other operations depend on. */
export interface SpecFacts extends GateFacts {
  /** Who wrote the spec since it was approved; empty on a board that does not separate review. */
  readonly writers: readonly Participation[]
  /** Who wrote it since it entered review; empty if that does not matter for an approval. */
  readonly writersSinceReview: readonly Participation[]
}

const archived = (spec: SpecRecord): Ruling => ruling('archived', archivedRefusal({ ...spec, type: 'spec' }))

const standing = (spec: SpecRecord): Ruling => ruling('status', standingRefusal(spec))

/** The rulings that precede the gates of a move; they depend on the spec alone. */
export const transitionGates = (spec: SpecRecord, to: Status): Ruling[] => [
  archived(spec),
  standing(spec),
  ruling('transition', specStates.refusal(spec.status, to)),
]

/**
 * The approval that a move of a spec to a status makes: the setting, and the permissions that a person needs (people
 * 1.3).
 */
const approvalOfMove: Readonly<Partial<Record<Status, Pick<Approval, 'setting' | 'permissions'>>>> = {
  approved: { setting: 'approval_spec', permissions: ['SPECS_MOVE_APPROVED'] },
  validated: { setting: 'approval_spec_validation', permissions: ['SPECS_MOVE_VALIDATED'] },
  done: { setting: 'approval_done', permissions: ['SPECS_MOVE_DONE'] },
}

/** The status in which a spec is in the inbox of its approvers, by setting. */
const askedIn: Readonly<Partial<Record<ApprovalSetting, Status>>> = {
  approval_spec: 'review',
  approval_spec_validation: 'approved',
  approval_done: 'in_progress',
}

/**
 * The ruling of the board's settings on who may approve a spec by a move (people 1.3); none for a move that is not an
 * approval.
 */
export function approvalGates(
  facts: SpecFacts,
  to: Status,
  requester: Pick<Requester, 'caller' | 'boardId'>,
): Ruling[] {
  const approval = approvalOfMove[to]
  if (approval === undefined) return []
  const { spec, settings } = facts
  const work = to === 'validated' ? facts.writers : facts.writersSinceReview
  const isAsked = askedIn[approval.setting] === spec.status && gatesAreOpen(facts, to)
  return [approvalGate({ ...approval, action: `the move of this spec to ${to}`, isAsked }, settings, work, requester)]
}

const gatesAreOpen = (facts: SpecFacts, to: Status): boolean =>
  firstRefusal(
    gatesOfSpec(
      facts,
      specStates.gates(facts.spec.status, to).filter(gate => gate !== 'spec_validation'),
    ),
  ) === null

const specLifecycle: readonly Status[] = ['draft', 'review', 'approved', 'validated', 'in_progress', 'done']

/**
 * The ruling of the board's settings on who may create a spec in a status: if a person approves, only a present person
 * may skip that (people 1.3).
 */
export const creationGates = (
  status: Status,
  settings: Approvals,
  requester: Pick<Requester, 'caller' | 'boardId'>,
): Ruling[] =>
  Object.entries(approvalOfMove).flatMap(([approved, approval]) => {
    const reached = specLifecycle.indexOf(status) >= specLifecycle.indexOf(approved as Status)
    if (!reached || settings[approval.setting] !== 'person') return []
    const action = `the creation of a spec in ${status}`
    return [approvalGate({ ...approval, action, isAsked: false }, settings, [], requester)]
  })

/** The rulings of the gates of a validation; whether it succeeds decides who may submit it (people 1.3). */
export const validationGates = (facts: SpecFacts, requester: Requester, approves: boolean): Ruling[] => [
  archived(facts.spec),
  standing(facts.spec),
  ruling('status', notApproved(facts.spec)),
  ...(approves
    ? [
        approvalGate(
          {
            setting: 'approval_spec_validation',
            action: 'the approval of this spec',
            permissions: ['SPECS_VALIDATE'],
            isAsked: facts.settings.require_spec_validation && gatesAreOpen(facts, 'validated'),
          },
          facts.settings,
          facts.writers,
          requester,
        ),
      ]
    : []),
  reviewerGate(facts.settings, facts.writers, requester),
  ...gatesOfSpec(facts, ['coverage']),
]

/** The facts of a spec, with its writers if they matter. */
export async function readSpecFacts(db: Db, spec: SpecRecord): Promise<SpecFacts> {
  const facts = await readGateFacts(db, spec)
  const { require_separate_reviewer, approval_spec, approval_spec_validation, approval_done } = facts.settings
  const separates = require_separate_reviewer || approval_spec_validation === 'separate'
  const reviews = approval_spec === 'separate' || approval_done === 'separate'
  return {
    ...facts,
    writers: separates ? await writersOfSpec(db, spec) : [],
    writersSinceReview: reviews ? await writersSinceReview(db, spec) : [],
  }
}

/** The rulings of the gates of an evaluation, which depend on the spec alone. */
export const evaluationGates = (spec: SpecRecord): Ruling[] => [
  archived(spec),
  standing(spec),
  ruling('status', notValidated(spec)),
]

/** The rulings of the gates of a scenario's result, which depend on the spec alone. */
export const resultGates = (spec: SpecRecord): Ruling[] => [archived(spec), ruling('status', resultsNotOpen(spec))]

/** What a spec loses when it becomes editable again (specs 5.1). */
const effectsOf = ({ evaluations, locked }: SpecRecord, to: Status): Effect[] => {
  if (!isEditable(to)) return []
  const stale: Effect[] = anyValid(evaluations) ? ['evaluations_stale'] : []
  return locked ? [...stale, 'spec_unlocked'] : stale
}

/** What can be done with a spec (board 3). */
export const specGates = {
  read: async ({ db }, id) => readSpecFacts(db, await readSpec(db, id)),
  recordOf: ({ spec }) => spec,
  statuses: specStates.states,
  targets: specStates.allowed,
  move: (facts, to, requester) => ({
    rulings: [
      ...transitionGates(facts.spec, to),
      ...approvalGates(facts, to, requester),
      ...gatesOfSpec(facts, specStates.gates(facts.spec.status, to)),
    ],
    effects: effectsOf(facts.spec, to),
  }),
  operations: {
    update_spec: ({ spec }) => ({
      rulings: [archived(spec)],
      lockedFields: spec.standing ? [...fixedOfStanding] : lockedFields(spec),
    }),
    submit_spec_validation: (facts, requester) => ({
      rulings: validationGates(facts, requester, true),
    }),
    submit_spec_evaluation: ({ spec }) => ({ rulings: evaluationGates(spec) }),
    record_scenario_result: ({ spec }) => ({ rulings: resultGates(spec) }),
  },
} satisfies RecordGates<SpecFacts, Status>
