import { boardSettings, type Settings } from '../../kernel/board-settings.ts'
import { blocked } from '../../kernel/errors.ts'
import { type Gate, onceOf, passGates } from '../../kernel/gates.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { refOf, type WithReference } from '../../schema/refs.ts'
import { type OnBoard, onBoard } from '../../schema/same-board.ts'
import type { CardsTable, SprintsTable } from '../../schema/tables.ts'
import { evaluationRefusal } from '../evaluation.ts'
import { type ProofFacts, proofFacts, proofRequired } from '../proof/gate.ts'
import { proofOfSpec } from '../proof/records.ts'
import { asksProof } from '../proof/rules.ts'
import { type CountingCards, coverageRefusal, coverageSkippedBy } from './coverage.ts'
import {
  criteriaRefusal,
  type DoneGateFields,
  type GateCard,
  scenariosRefusal,
  sprintsRefusal,
  tasksRefusal,
  testsSkippedBy,
} from './done-gates.ts'
import type { GateName } from './states.ts'
import type { SpecRecord } from './store.ts'

const gateCards = hot<OnBoard, Pick<CardsTable, 'id' | 'title' | 'status' | 'card_type' | 'archived'> & WithReference>(
  (db, param) =>
    db
      .selectFrom('cards')
      .select(['id', refOf('cards').as('ref'), 'title', 'status', 'card_type', 'archived'])
      .where('spec_id', '=', param('id'))
      .where(onBoard('cards', param('board_id')))
      .orderBy('created_at')
      .orderBy('id'),
)

const openSprints = hot<OnBoard, Pick<SprintsTable, 'id' | 'title' | 'status'> & WithReference>((db, param) =>
  db
    .selectFrom('sprints')
    .select(['id', refOf('sprints').as('ref'), 'title', 'status'])
    .where('spec_id', '=', param('id'))
    .where(onBoard('sprints', param('board_id')))
    .where('archived', '=', 0)
    .orderBy('created_at')
    .orderBy('id'),
)

async function cardsOf(db: Db, spec: OnBoard): Promise<GateCard[]> {
  const rows = await gateCards(db, spec)
  return rows.map(row => ({ ...row, archived: row.archived === 1 }))
}

const counting = (cards: readonly GateCard[]): CountingCards =>
  new Map(
    cards.filter(card => !card.archived && card.status !== 'cancelled').map(card => [card.id, card.card_type] as const),
  )

/** Everything that the gates of a spec's move depend on. */
export interface GateFacts {
  readonly spec: SpecRecord
  readonly settings: Settings
  /** All cards of the spec, oldest first. */
  readonly cards: readonly GateCard[]
  /** The sprints of the spec that are not archived, oldest first. */
  readonly sprints: readonly DoneGateFields[]
  /** The proof that the spec lacks; null if its board requires none (evidence 8). */
  readonly proof: ProofFacts | null
}

/** The current facts for the gates of a spec. */
export async function readGateFacts(db: Db, spec: SpecRecord): Promise<GateFacts> {
  const settings = await boardSettings(db, spec.board_id)
  const record = { type: 'spec' as const, id: spec.id, ref: spec.ref, board_id: spec.board_id, spec_id: spec.id }
  return {
    spec,
    settings,
    cards: await cardsOf(db, spec),
    sprints: await openSprints(db, spec),
    proof:
      spec.status === 'in_progress'
        ? await proofFacts(db, record, settings, () => proofOfSpec(db, spec, settings))
        : null,
  }
}

const gates: Readonly<Record<GateName, Gate<GateFacts>>> = {
  coverage: {
    refusal: ({ spec, settings, cards }) => coverageRefusal(spec, settings, counting(cards)),
    skippedBy: ({ spec, settings, cards }) => coverageSkippedBy(spec, settings, counting(cards)),
  },
  spec_validation: {
    refusal: ({ settings }) =>
      settings.require_spec_validation
        ? blocked(
            'SPEC_VALIDATION_REQUIRED',
            'This board validates its specs: submit a validation (submit_spec_validation); a successful one moves the spec.',
            { missing: ['spec_validation'] },
          )
        : null,
    skippedBy: () => 'require_spec_validation',
  },
  evaluation: {
    refusal: ({ spec }) =>
      spec.skip_qualitative_validation ? null : evaluationRefusal(spec.evaluations, spec.validation_threshold, 'spec'),
    skippedBy: ({ spec }) => (spec.skip_qualitative_validation ? 'skip_qualitative_validation' : null),
  },
  criteria: {
    refusal: ({ spec, settings }) => criteriaRefusal(spec, settings),
    skippedBy: ({ spec, settings }) => testsSkippedBy(spec, settings),
  },
  sprints: { refusal: ({ sprints }) => sprintsRefusal(sprints) },
  tasks: { refusal: ({ cards }) => tasksRefusal(cards) },
  scenarios: {
    refusal: ({ spec, settings }) => scenariosRefusal(spec, settings),
    skippedBy: ({ spec, settings }) => testsSkippedBy(spec, settings),
  },
  proof: {
    refusal: ({ proof }) => proofRequired(proof),
    skippedBy: ({ settings }) => (asksProof(settings) ? null : 'min_evidence_tier'),
  },
}

/** The rulings of a spec's gates, in the order of their names (specs 6). */
export const gatesOfSpec = onceOf(gates)

/**
 * Checks gates of a spec, in order; the first closed one decides the refusal.
 * @throws DomainError COVERAGE_REQUIRED, SPEC_VALIDATION_REQUIRED, EVALUATION_REJECTED, EVALUATION_REQUIRED,
 * EVALUATION_BELOW_THRESHOLD, CRITERIA_UNCOVERED, SPRINTS_OPEN, NO_CLOSED_SPRINT, TASKS_OPEN, SCENARIOS_OPEN, PROOF_REQUIRED
 */
export async function checkGates(db: Db, spec: SpecRecord, names: readonly GateName[]): Promise<void> {
  if (names.length > 0) passGates(gatesOfSpec(await readGateFacts(db, spec), names))
}
