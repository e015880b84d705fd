import { archivedRefusal } from '../../kernel/archived.ts'
import { type Ruling, ruling } from '../../kernel/gates.ts'
import type { RecordGates } from '../../kernel/record-gates.ts'
import { lockedRefusal, unfinishedRefusal } from '../revision.ts'
import { complexRefusal, ideationStates, notEvaluating, type Status } from './rules.ts'
import { type IdeationRecord, readIdeation } from './store.ts'

const archived = (ideation: IdeationRecord): Ruling =>
  ruling('archived', archivedRefusal({ ...ideation, type: 'ideation' }))

/** What can be done with an ideation (board 3). */
export const ideationGates = {
  read: ({ db }, id) => readIdeation(db, id),
  recordOf: ideation => ideation,
  statuses: ideationStates.states,
  targets: ideationStates.allowed,
  move: (ideation, to) => ({
    rulings: [archived(ideation), ruling('transition', ideationStates.refusal(ideation.status, to))],
  }),
  operations: {
    update_ideation: ideation => ({
      rulings: [archived(ideation), ruling('lock', lockedRefusal(ideationStates, 'IDEATION_LOCKED', ideation.status))],
      lockedFields: [],
    }),
    evaluate_ideation: ideation => ({
      rulings: [archived(ideation), ruling('status', notEvaluating(ideation.status))],
    }),
    derive_spec_from_ideation: ideation => ({
      rulings: [
        archived(ideation),
        ruling('status', unfinishedRefusal('ideation', 'IDEATION_NOT_DONE', ideation.status)),
        ruling('scope', complexRefusal(ideation.complexity)),
      ],
    }),
  },
} satisfies RecordGates<IdeationRecord, Status>
