import { archivedSprint } from '../../kernel/archived.ts'
import { type Ruling, ruling } from '../../kernel/gates.ts'
import type { RecordGates } from '../../kernel/record-gates.ts'
import { anyValid } from '../evaluation.ts'
import { workersOnSprint } from '../review/participants.ts'
import { type Participation, participants, reviewerGate } from '../review/rules.ts'
import { type GateFacts, gatesOfSprint, readGateFacts } from './gates.ts'
import { notInReview, reopens, type Status, sprintStates } from './rules.ts'
import { readSprint, type SprintRecord } from './store.ts'

/** What the gates of a sprint's moves and of its evaluation depend on. */
export interface SprintFacts extends GateFacts {
  /** Who worked on its cards; empty on a board that does not separate review. */
  readonly workers: readonly Participation[]
}

const archived = (sprint: SprintRecord): Ruling => ruling('archived', archivedSprint(sprint))

/** The rulings that precede the gates of a move; they depend on the sprint alone. */
export const transitionGates = (sprint: SprintRecord, to: Status): Ruling[] => [
  archived(sprint),
  ruling('transition', sprintStates.refusal(sprint.status, to)),
]

/** What can be done with a sprint (board 3). */
export const sprintGates = {
  async read({ db }, id) {
    const facts = await readGateFacts(db, await readSprint(db, id))
    return { ...facts, workers: await participants(facts.settings, () => workersOnSprint(db, facts.sprint)) }
  },
  recordOf: ({ sprint }) => sprint,
  statuses: sprintStates.states,
  targets: sprintStates.allowed,
  move: (facts, to) => {
    const { sprint } = facts
    return {
      rulings: [...transitionGates(sprint, to), ...gatesOfSprint(facts, sprintStates.gates(sprint.status, to))],
      effects: reopens(sprint.status, to) && anyValid(sprint.evaluations ?? []) ? ['evaluations_stale'] : [],
    }
  },
  operations: {
    update_sprint: ({ sprint }) => ({ rulings: [archived(sprint)], lockedFields: [] }),
    submit_sprint_evaluation: ({ sprint, settings, workers }, requester) => ({
      rulings: [
        archived(sprint),
        ruling('status', notInReview(sprint.status)),
        reviewerGate(settings, workers, requester),
      ],
    }),
  },
} satisfies RecordGates<SprintFacts, Status>
