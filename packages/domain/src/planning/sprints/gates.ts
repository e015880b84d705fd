import { boardSettings, type Settings } from '../../kernel/board-settings.ts'
import { type Gate, passGates, type Ruling, rulingsOf } from '../../kernel/gates.ts'
import type { Db } from '../../schema/database.ts'
import { evaluationRefusal } from '../evaluation.ts'
import { evidenceRequired } from '../evidence.ts'
import { type ProofFacts, proofFacts, proofRequired } from '../proof/gate.ts'
import { proofOfSprint } from '../proof/records.ts'
import { asksProof } from '../proof/rules.ts'
import { testsSkippedBy } from '../specs/done-gates.ts'
import { readSpec } from '../specs/store.ts'
import {
  emptyRefusal,
  type GateCard,
  type GateName,
  type GateScenario,
  scopedRefusal,
  withoutEvidence,
} from './rules.ts'
import { readGateCards, type SprintRecord } from './store.ts'

/** Everything that the gates of a sprint's moves depend on. */
export interface GateFacts {
  readonly sprint: SprintRecord
  readonly settings: Settings
  /** The cards of the sprint, oldest first. */
  readonly cards: readonly GateCard[]
  /** The scenarios of its spec. */
  readonly scenarios: readonly GateScenario[]
  /** The proof that the sprint lacks; null if its board requires none (evidence 8). */
  readonly proof: ProofFacts | null
}

/** The current facts for the gates of a sprint. */
export async function readGateFacts(db: Db, sprint: SprintRecord): Promise<GateFacts> {
  const { id, ref, board_id, spec_id } = sprint
  const settings = await boardSettings(db, board_id)
  const spec = await readSpec(db, spec_id)
  const record = { type: 'sprint' as const, id, ref, board_id, spec_id }
  return {
    sprint,
    settings,
    cards: await readGateCards(db, sprint),
    scenarios: spec.test_scenarios ?? [],
    proof:
      sprint.status === 'review'
        ? await proofFacts(db, record, settings, () => proofOfSprint(db, sprint, spec, settings))
        : null,
  }
}

/** The scenarios that lack their evidence, whether or not the board requires it. */
export const unprovenIn = ({ cards, scenarios }: GateFacts) => withoutEvidence(cards, scenarios)

const gates: Readonly<Record<GateName, Gate<GateFacts>>> = {
  cards: { refusal: ({ cards }) => emptyRefusal(cards) },
  scenarios: {
    refusal: ({ sprint, settings, scenarios }) =>
      testsSkippedBy(sprint, settings) === null ? scopedRefusal(sprint.test_scenario_ids, scenarios) : null,
    skippedBy: ({ sprint, settings }) => testsSkippedBy(sprint, settings),
  },
  evidence: {
    refusal: facts => {
      const unproven = facts.settings.skip_test_evidence_global ? [] : unprovenIn(facts)
      return unproven.length === 0 ? null : evidenceRequired(unproven)
    },
    skippedBy: ({ settings }) => (settings.skip_test_evidence_global ? 'skip_test_evidence_global' : null),
  },
  proof: {
    refusal: ({ proof }) => proofRequired(proof),
    skippedBy: ({ settings }) => (asksProof(settings) ? null : 'min_evidence_tier'),
  },
  evaluation: {
    refusal: ({ sprint }) =>
      sprint.skip_qualitative_validation
        ? null
        : evaluationRefusal(sprint.evaluations ?? [], sprint.validation_threshold, 'sprint'),
    skippedBy: ({ sprint }) => (sprint.skip_qualitative_validation ? 'skip_qualitative_validation' : null),
  },
}

/** The rulings of a sprint's gates, in the order of their names (planning 1.6). */
export const gatesOfSprint = (facts: GateFacts, names: readonly GateName[]): Ruling[] => rulingsOf(gates, names, facts)

/**
 * Checks gates of a sprint, in order (planning 1.6).
 * @returns whether evidence is missing but the board allows that
 * @throws DomainError with the code of the first closed gate
 */
export async function checkGates(db: Db, sprint: SprintRecord, names: readonly GateName[]): Promise<boolean> {
  if (names.length === 0) return false
  const facts = await readGateFacts(db, sprint)
  passGates(gatesOfSprint(facts, names))
  return names.includes('evidence') && unprovenIn(facts).length > 0
}
