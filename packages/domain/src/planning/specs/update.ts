import { refuseArchived, refuseArchivedCard } from '../../kernel/archived.ts'
import { boardSettings, type Settings } from '../../kernel/board-settings.ts'
import { changedFields } from '../../kernel/changes.ts'
import type { Context } from '../../kernel/context.ts'
import { refuse } from '../../kernel/errors.ts'
import type { Implementation } from '../../kernel/implement.ts'
import type { Change } from '../../schema/contents.ts'
import { updateRow } from '../../schema/rows.ts'
import { allStale } from '../evaluation.ts'
import { recordOn } from '../history/record-entry.ts'
import { specLocked } from '../spec-lock.ts'
import { cardLinksOf, writeLinks } from './card-links.ts'
import { changesContent, type Sent, statusChanges, storedForm, touchedScenarios } from './content.ts'
import { evaluate } from './evaluations.ts'
import { followTexts } from './followed-references.ts'
import { checkLinkCount, checkScenarioLimit, idsAfter, linkCount, scenariosByCard } from './link-rules.ts'
import { fieldsAgainstLock, sinceValidated } from './locked-fields.ts'
import { checkOrigin } from './origin.ts'
import { checkReferences, type Offender } from './references.ts'
import { checkEvidence, statusChanged } from './scenario-evidence.ts'
import { isEvaluated, notValidated } from './states.ts'
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
  checkLinkCount(linkCount(before), linkCount({ ...before, ...sent }))
  const wanted = storedForm(sent)
  const against = before.locked ? fieldsAgainstLock(changedFields({ ...before }, wanted)) : []
  if (against.length > 0) throw specLocked(before, against)
  if (evaluation !== undefined) refuse(notValidated(before))
  const { lists, lost } = followTexts(before, wanted)
  const stored = { ...wanted, ...lists }
  const changes = changedFields({ ...before }, stored)
  const after = changes.length === 0 ? before : await revise(ctx, before, stored, changes, lost)
  if (evaluation !== undefined) await evaluate(ctx, after, evaluation)
  return readWholeSpec(ctx, before.id)
}

/** Checks the rules on changed values, and stores the changes of a spec. */
async function revise(
  ctx: Context,
  before: SpecRecord,
  wanted: Sent,
  changes: readonly Change[],
  lost: readonly Offender[],
): Promise<SpecRecord> {
  const changed = new Set(changes.map(change => change.field))
  const wanting: SpecRecord = {
    ...before,
    ...wanted,
    changed_since_validated: sinceValidated(before, fieldsAgainstLock(changes)),
    updated_at: ctx.now(),
  }
  const raised = changesContent(before, wanting)
  const after = raised ? { ...wanting, ...withNewContent(before) } : wanting
  const refers = [...changed].some(field => referring.has(field))
  const cards = refers ? await cardLinksOf(ctx.db, before.id) : []
  if (changed.has('ideation_id') || changed.has('refinement_id')) await checkOrigin(ctx.db, after, { below: false })
  const cardIds = new Set(cards.map(card => card.id))
  if (refers) checkReferences(after, id => cardIds.has(id), lost)

  const settings = changed.has('test_scenarios') ? await boardSettings(ctx.db, before.board_id) : null
  if (settings !== null) checkEvidence(touchedScenarios(before.test_scenarios, after.test_scenarios), settings)
  const relinked = settings === null ? [] : relinkedCards(after, cards, settings)

  const fields = [...changed]
  const values = Object.fromEntries(fields.map(field => [field, after[field as keyof SpecRecord]]))
  const { version, evaluations, changed_since_validated, updated_at } = after
  await updateRow(
    ctx.db,
    'specs',
    before.id,
    columnsOf({ ...values, version, evaluations, changed_since_validated, updated_at }),
  )
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

/** What new content changes besides itself: the version, and in an open spec the evaluations, which become stale. */
const withNewContent = ({ version, status, evaluations }: SpecRecord): Pick<SpecRecord, 'version' | 'evaluations'> => ({
  version: version + 1,
  evaluations: isEvaluated(status) ? allStale(evaluations) : evaluations,
})

/** The cards whose side of the scenario links changes, with their new ids (specs 8). */
function relinkedCards(
  after: SpecRecord,
  cards: Awaited<ReturnType<typeof cardLinksOf>>,
  { max_scenarios_per_card }: Pick<Settings, 'max_scenarios_per_card'>,
): { id: string; ids: string[] }[] {
  const scenarios = scenariosByCard(after)
  return cards.flatMap(card => {
    const before = card.test_scenario_ids
    const ids = idsAfter(before, scenarios.get(card.id) ?? [])
    const had = new Set(before)
    const isNew = ids.some(id => !had.has(id))
    if (!isNew && ids.length === before.length) return []
    if (isNew) refuseArchivedCard(card)
    checkScenarioLimit(card.id, before, ids, max_scenarios_per_card)
    return [{ id: card.id, ids }]
  })
}

async function recordStatusChanges(ctx: Context, before: SpecRecord, after: SpecRecord, settings: Settings) {
  for (const change of statusChanges(before.test_scenarios, after.test_scenarios))
    await recordOn(ctx, 'spec', after, { activity: statusChanged(after, change, settings) })
}
