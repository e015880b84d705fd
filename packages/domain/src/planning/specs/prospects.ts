import { archivedRefusal } from '../../kernel/archived.ts'
import { type Ruling, ruling } from '../../kernel/gates.ts'
import type { Effect, Prospects } from '../../kernel/outlook.ts'
import { anyValid } from '../evaluation.ts'
import { writersOfSpec } from '../review/participants.ts'
import { judgeReviewer, type Participation, participants } from '../review/rules.ts'
import { type GateFacts, judgeGates, readGateFacts } from './gates.ts'
import { lockedFields } from './locked-fields.ts'
import { fixedOfStanding, standingRefusal } from './standing.ts'
import { isEditable, notApproved, notValidated, resultsNotOpen, specStates } from './states.ts'
import { readSpec, type SpecRecord, type Status } from './store.ts'

/** What the gates of a spec's moves and of its other operations depend on. */
export interface SpecFacts extends GateFacts {
  /** Who wrote the spec; nobody counts on a board that does not separate review. */
  readonly writers: readonly Participation[]
}

const archived = (spec: SpecRecord): Ruling => ruling('archived', archivedRefusal({ ...spec, type: 'spec' }))

const standing = (spec: SpecRecord): Ruling => ruling('status', standingRefusal(spec))

/** What comes before the gates of a move, which depends on the spec alone. */
export const judgeRow = (spec: SpecRecord, to: Status): Ruling[] => [
  archived(spec),
  standing(spec),
  ruling('transition', specStates.refusal(spec.status, to)),
]

/** What the gates of an evaluation say, which depend on the spec alone. */
export const judgeEvaluation = (spec: SpecRecord): Ruling[] => [
  archived(spec),
  standing(spec),
  ruling('status', notValidated(spec)),
]

/** What the gates of a scenario's result say, which depend on the spec alone. */
export const judgeResult = (spec: SpecRecord): Ruling[] => [archived(spec), ruling('status', resultsNotOpen(spec))]

/** What a spec loses when it becomes editable again (specs 5.1). */
const effectsOf = ({ evaluations, locked }: SpecRecord, to: Status): Effect[] => {
  if (!isEditable(to)) return []
  const stale: Effect[] = anyValid(evaluations) ? ['evaluations_stale'] : []
  return locked ? [...stale, 'spec_unlocked'] : stale
}

/** What can be done with a spec (board 3). */
export const specProspects = {
  async read({ db }, id) {
    const facts = await readGateFacts(db, await readSpec(db, id))
    return { ...facts, writers: await participants(facts.settings, () => writersOfSpec(db, id)) }
  },
  recordOf: ({ spec }) => spec,
  statuses: specStates.states,
  targets: specStates.allowed,
  move: (facts, to) => ({
    rulings: [...judgeRow(facts.spec, to), ...judgeGates(facts, specStates.gates(facts.spec.status, to))],
    effects: effectsOf(facts.spec, to),
  }),
  operations: {
    update_spec: ({ spec }) => ({
      rulings: [archived(spec)],
      lockedFields: spec.standing ? [...fixedOfStanding] : lockedFields(spec),
    }),
    submit_spec_validation: (facts, asking) => ({
      rulings: [
        archived(facts.spec),
        standing(facts.spec),
        ruling('status', notApproved(facts.spec)),
        judgeReviewer(facts.settings, facts.writers, asking),
        ...judgeGates(facts, ['coverage']),
      ],
    }),
    submit_spec_evaluation: ({ spec }) => ({ rulings: judgeEvaluation(spec) }),
    record_scenario_result: ({ spec }) => ({ rulings: judgeResult(spec) }),
  },
} satisfies Prospects<SpecFacts, Status>
