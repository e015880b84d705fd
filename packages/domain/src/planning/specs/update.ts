import { refuseArchived, refuseArchivedCard } from '../../kernel/archived.ts'
import { boardSettings, type Settings } from '../../kernel/board-settings.ts'
import { changedFields } from '../../kernel/changes.ts'
import type { Context } from '../../kernel/context.ts'
import { blocked } from '../../kernel/errors.ts'
import type { Implementation } from '../../kernel/implement.ts'
import type { Change } from '../../schema/contents.ts'
import { updateRow } from '../../schema/rows.ts'
import { staleOf } from '../evaluation.ts'
import { evidenceOf, evidenceRequired, missingEvidence } from '../evidence.ts'
import { recordOn } from '../history/record-entry.ts'
import { specLocked } from '../spec-lock.ts'
import { cardLinksOf, writeLinks } from './card-links.ts'
import { changesContent, type Sent, statusChanges, storedForm, touchedScenarios } from './content.ts'
import type { Evaluation, EvaluationInput, Scenario } from './items.ts'
import { checkScenarioLimit, idsAfter } from './link-rules.ts'
import { fieldsAgainstLock } from './locked-fields.ts'
import { checkOrigin } from './origin.ts'
import { checkReferences } from './references.ts'
import { columnsOf, readSpec, readWholeSpec, type SpecRecord } from './store.ts'

type UpdateSpec = Implementation<typeof import('@specboard/contract').features.specs.update_spec>

/** The fields whose change may break an id or reference. */
const referring: ReadonlySet<string> = new Set([
  'functional_requirements',
  'technical_requirements',
  'acceptance_criteria',
  'test_scenarios',
  'business_rules',
  'api_contracts',
  'decisions',
  'screen_mockups',
])

/** update_spec (specs 3.3). */
export const updateSpec: UpdateSpec = async ({ params, body }, ctx) => {
  refuseArchived(ctx.target)
  const before = await readSpec(ctx.db, params.spec_id)
  const { evaluation, ...sent } = body
  const wanted = storedForm(sent)
  const changes = changedFields({ ...before }, wanted)
  const against = before.locked ? fieldsAgainstLock(changes) : []
  if (against.length > 0) throw specLocked(before, against)
  if (evaluation !== undefined) refuseNotValidated(before)
  const after = changes.length === 0 ? before : await revise(ctx, before, wanted, changes)
  if (evaluation !== undefined) await evaluate(ctx, after, evaluation)
  return readWholeSpec(ctx, before.id)
}

function refuseNotValidated({ status }: SpecRecord): void {
  if (status === 'validated') return
  throw blocked(
    'SPEC_NOT_VALIDATED',
    `Only a validated spec can be evaluated; this one is ${status}. Validate it first.`,
    {
      status,
    },
  )
}

/** Checks the rules on changed values, and stores the changes of a spec. */
async function revise(ctx: Context, before: SpecRecord, wanted: Sent, changes: readonly Change[]): Promise<SpecRecord> {
  const changed = new Set(changes.map(change => change.field))
  const wanting: SpecRecord = { ...before, ...wanted, updated_at: ctx.now() }
  const raised = changesContent(before, wanting)
  const after = raised ? { ...wanting, version: before.version + 1 } : wanting
  const refers = [...changed].some(field => referring.has(field))
  const cards = refers ? await cardLinksOf(ctx.db, before.id) : []
  if (changed.has('ideation_id') || changed.has('refinement_id')) await checkOrigin(ctx.db, after, { below: false })
  const cardIds = new Set(cards.map(card => card.id))
  if (refers) checkReferences(after, id => cardIds.has(id))

  const settings = changed.has('test_scenarios') ? await boardSettings(ctx.db, before.board_id) : null
  if (settings !== null) checkEvidence(touchedScenarios(before.test_scenarios, after.test_scenarios), settings)
  const relinked = settings === null ? [] : relinkedCards(after, cards, settings)

  const fields = [...changed]
  const values = Object.fromEntries(fields.map(field => [field, after[field as keyof SpecRecord]]))
  const { version, updated_at } = after
  await updateRow(ctx.db, 'specs', before.id, columnsOf({ ...values, version, updated_at }))
  for (const { id, ids } of relinked) await writeLinks(ctx, id, { test_scenario_ids: ids })
  await recordOn(ctx, 'spec', after, {
    activity: { action: 'spec_updated', details: { spec_id: before.id, version, fields } },
    history: { action: 'updated', changes, summary: `Changed ${fields.join(', ')}` },
    domain: [
      { name: 'spec.updated', spec_id: before.id, fields },
      ...(raised ? [{ name: 'spec.version_bumped', spec_id: before.id, version }] : []),
    ],
  })
  if (settings !== null) await recordStatusChanges(ctx, before, after, settings)
  return after
}

/**
 * Checks the evidence of new and changed scenarios (specs 4.3).
 * @throws DomainError TEST_EVIDENCE_REQUIRED
 */
export function checkEvidence(scenarios: readonly Scenario[], settings: Pick<Settings, 'skip_test_evidence_global'>) {
  if (settings.skip_test_evidence_global) return
  const missing = scenarios
    .map(scenario => ({ scenario_id: scenario.id, status: scenario.status, required: missingEvidence(scenario) }))
    .filter(({ required }) => required.length > 0)
  if (missing.length > 0) throw evidenceRequired(missing)
}

/** The cards whose side of the scenario links changes, with their new ids (specs 8). */
function relinkedCards(
  after: SpecRecord,
  cards: Awaited<ReturnType<typeof cardLinksOf>>,
  { max_scenarios_per_card }: Pick<Settings, 'max_scenarios_per_card'>,
): { id: string; ids: string[] }[] {
  return cards.flatMap(card => {
    const before = card.test_scenario_ids
    const ids = idsAfter(before, after, card.id)
    const isNew = ids.some(id => !before.includes(id))
    if (!isNew && ids.length === before.length) return []
    if (isNew) refuseArchivedCard(card)
    checkScenarioLimit(card.id, before, ids, max_scenarios_per_card)
    return [{ id: card.id, ids }]
  })
}

async function recordStatusChanges(ctx: Context, before: SpecRecord, after: SpecRecord, settings: Settings) {
  for (const { scenario, from } of statusChanges(before.test_scenarios, after.test_scenarios)) {
    await recordOn(ctx, 'spec', after, {
      activity: {
        action: 'test_scenario_status_changed',
        details: {
          spec_id: after.id,
          scenario_id: scenario.id,
          scenario_title: scenario.title,
          from_status: from,
          to_status: scenario.status,
          evidence_provided: evidenceOf(scenario) !== null,
          evidence_gate_skipped: settings.skip_test_evidence_global,
        },
      },
    })
  }
}

const dimensionsOf = (input: EvaluationInput): Evaluation['dimensions'] => ({
  breakdown_completeness: { score: input.breakdown_completeness, justification: input.breakdown_justification },
  granularity: { score: input.granularity, justification: input.granularity_justification },
  dependency_coherence: { score: input.dependency_coherence, justification: input.dependency_justification },
  test_coverage_quality: { score: input.test_coverage_quality, justification: input.test_coverage_justification },
})

/** Appends the caller's evaluation; its earlier ones of this spec become stale (specs 6.2). */
async function evaluate(ctx: Context, spec: SpecRecord, input: EvaluationInput): Promise<void> {
  const { overall_score, overall_justification, recommendation } = input
  const evaluation: Evaluation = {
    id: ctx.newId(),
    spec_id: spec.id,
    evaluator_id: ctx.caller.id,
    evaluator_name: ctx.caller.name,
    evaluator_type: 'agent',
    dimensions: dimensionsOf(input),
    overall_score,
    overall_justification,
    recommendation,
    stale: false,
    created_at: ctx.now(),
  }
  const evaluations = [...staleOf(spec.evaluations, ctx.caller.id), evaluation]
  await updateRow(ctx.db, 'specs', spec.id, columnsOf({ evaluations, updated_at: ctx.now() }))
  await recordOn(ctx, 'spec', spec, {
    activity: {
      action: 'spec_evaluation_submitted',
      details: { spec_id: spec.id, evaluation_id: evaluation.id, recommendation, overall_score },
    },
    history: {
      action: 'evaluation_submitted',
      changes: [{ field: 'evaluations', old: null, new: evaluation }],
      summary: `Evaluated: ${recommendation}, ${overall_score}`,
    },
  })
}
