import { archivedRefusal } from '../../kernel/archived.ts'
import { type Gate, type Ruling, ruling, rulingsOf } from '../../kernel/gates.ts'
import type { RecordGates } from '../../kernel/record-gates.ts'
import { type IdeationRecord, readIdeation } from '../ideations/store.ts'
import { lockedRefusal, unfinishedRefusal } from '../revision.ts'
import { refinementStates, type Status, scopeRefusal } from './rules.ts'
import { type RefinementRecord, readRefinement } from './store.ts'

/** What the gates of a refinement depend on. */
export interface RefinementFacts {
  readonly refinement: RefinementRecord
  readonly ideation: IdeationRecord
}

const gates: Readonly<Record<'scope', Gate<RefinementRecord>>> = { scope: { refusal: scopeRefusal } }

const archived = (refinement: RefinementRecord): Ruling =>
  ruling('archived', archivedRefusal({ ...refinement, type: 'refinement' }))

/** The rulings of the gates of a move, which depend on the refinement alone. */
export const moveGates = (refinement: RefinementRecord, to: Status): Ruling[] => [
  archived(refinement),
  ruling('transition', refinementStates.refusal(refinement.status, to)),
  ...rulingsOf(gates, refinementStates.gates(refinement.status, to), refinement),
]

/** The rulings of the gates of an update, which depend on the refinement alone. */
export const updateGates = (refinement: RefinementRecord): Ruling[] => [
  archived(refinement),
  ruling('lock', lockedRefusal(refinementStates, 'REFINEMENT_LOCKED', refinement.status)),
]

/** What can be done with a refinement (board 3). */
export const refinementGates = {
  async read({ db }, id) {
    const refinement = await readRefinement(db, id)
    return { refinement, ideation: await readIdeation(db, refinement.ideation_id) }
  },
  recordOf: ({ refinement }) => refinement,
  statuses: refinementStates.states,
  targets: refinementStates.allowed,
  move: ({ refinement }, to) => ({ rulings: moveGates(refinement, to) }),
  operations: {
    update_refinement: ({ refinement }) => ({ rulings: updateGates(refinement), lockedFields: [] }),
    derive_spec_from_refinement: ({ refinement, ideation }) => ({
      rulings: [
        archived(refinement),
        ruling('archived', archivedRefusal({ ...ideation, type: 'ideation' })),
        ruling('status', unfinishedRefusal('refinement', 'REFINEMENT_NOT_DONE', refinement.status)),
      ],
    }),
  },
} satisfies RecordGates<RefinementFacts, Status>
