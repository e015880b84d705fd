import { specItems } from '@specboard/contract'
import { refuseArchived, refuseArchivedCard } from '../../kernel/archived.ts'
import { boardSettings, type Settings } from '../../kernel/board-settings.ts'
import { changedFields } from '../../kernel/changes.ts'
import type { Context } from '../../kernel/context.ts'
import { refuse } from '../../kernel/errors.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { withLists } from '../../kernel/sent-lists.ts'
import { excerpt } from '../../lib/excerpt.ts'
import type { Change } from '../../schema/contents.ts'
import { updateRow } from '../../schema/rows.ts'
import { allStale } from '../evaluation.ts'
import { recordOn } from '../history/record-entry.ts'
import { specLocked } from '../spec-lock.ts'
import { cardLinksOf, writeLinks } from './card-links.ts'
import {
  cardsOfChanged,
  changesContent,
  type SpecFields,
  statusChanges,
  storedForm,
  touchedScenarios,
} from './content.ts'
import { evaluate } from './evaluations.ts'
import { followTexts } from './followed-references.ts'
import { removedNumbers } from './item-ids.ts'
import { checkLinkCount, checkScenarioLimit, idsAfter, linkCount, scenariosByCard } from './link-rules.ts'
import { fieldsAgainstLock, sinceValidated } from './locked-fields.ts'
import { checkOrigin } from './origin.ts'
import { checkReferences, type Offender } from './references.ts'
import { type ItemInUse, itemsInUse, refuseInUse, removalsOf, withoutNames } from './removals.ts'
import { markConcerned } from './requirement-changes.ts'
import { checkEvidence, statusChanged } from './scenario-evidence.ts'
import { refuseFixed } from './standing.ts'
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

/** update_spec (specs 3.3, crew 1). */
export const updateSpec: UpdateSpec = async ({ params, body }, ctx) => {
  refuseArchived(ctx.target)
  const before = await readSpec(ctx.db, params.spec_id)
  const { evaluation, ...fields } = body
  refuseFixed(before, Object.keys(body))
  const update = withLists({ ...before }, fields, specItems)
  if (evaluation !== undefined && before.locked) refuseAgainstLock(before, storedForm(update))
  if (evaluation !== undefined) refuse(notValidated(before))
  const after = await changeSpec(ctx, before, update, { allow_removal: fields.allow_removal })
  if (evaluation !== undefined) await evaluate(ctx, after, evaluation)
  return readWholeSpec(ctx, before.id)
}

/** Options of a change to a spec. */
export interface SpecChangeOptions {
  /** Whether items in use may be removed (crew 1.4). */
  readonly allow_removal?: boolean | undefined
  /** Texts in use to remove, together with their references. */
  readonly texts?: readonly ItemInUse[]
  /** The changes that the history records; by default every changed field. */
  readonly historyOf?: (before: SpecRecord, after: SpecRecord) => readonly Change[]
}

/**
 * Changes fields of a spec under all rules on its values: lock, references, removals, evidence and limits (specs 4,
 * 5.2). Writes nothing if nothing differs.
 * @param fields the wanted fields; items with all of their members
 */
export async function changeSpec(
  ctx: Context,
  before: SpecRecord,
  fields: SpecFields,
  changing: SpecChangeOptions = {},
): Promise<SpecRecord> {
  checkLinkCount(linkCount(before), linkCount({ ...before, ...fields }))
  const update = storedForm(fields)
  if (before.locked) refuseAgainstLock(before, update)
  const { lists, lost } = followTexts(before, update)
  const stored = { ...update, ...lists }
  const changes = changedFields({ ...before }, stored)
  return changes.length === 0 ? before : revise(ctx, before, stored, { changes, lost, changing })
}

/** Refuses to change what the lock of a spec covers. */
function refuseAgainstLock(before: SpecRecord, update: SpecFields): void {
  const against = fieldsAgainstLock(changedFields({ ...before }, update))
  if (against.length > 0) throw specLocked(before, against)
}

/** What a change of a spec is checked against. */
interface Revising {
  readonly changes: readonly Change[]
  readonly lost: readonly Offender[]
  readonly changing: SpecChangeOptions
}

/** Checks the rules on changed values, and stores the changes of a spec. */
async function revise(
  ctx: Context,
  before: SpecRecord,
  update: SpecFields,
  { changes: sentChanges, lost, changing }: Revising,
): Promise<SpecRecord> {
  const refers = sentChanges.some(({ field }) => referring.has(field))
  const cards = refers ? await cardLinksOf(ctx.db, before) : []
  const named: SpecRecord = { ...before, ...update }
  const removals = refers ? removalsOf(before, named) : []
  const inUse = [...(changing.texts ?? []), ...(await itemsInUse(ctx.db, before.id, removals, named, cards))]
  const lists = { ...update, ...withoutNames(removals, named) }
  const changes = changedFields({ ...before }, lists)
  const changed = new Set(changes.map(change => change.field))
  const wanting: SpecRecord = {
    ...before,
    ...lists,
    changed_since_validated: sinceValidated(before, fieldsAgainstLock(changes)),
    updated_at: ctx.now(),
  }
  const raised = changesContent(before, wanting)
  const after = raised ? { ...wanting, ...withNewContent(before) } : wanting
  if (changed.has('ideation_id') || changed.has('refinement_id')) await checkOrigin(ctx.db, after, { below: false })
  const cardIds = new Set(cards.map(card => card.id))
  if (refers) checkReferences(after, id => cardIds.has(id), lost)
  refuseInUse(inUse, changing.allow_removal)

  const settings = changed.has('test_scenarios') ? await boardSettings(ctx.db, before.board_id) : null
  const touched = settings === null ? [] : touchedScenarios(before.test_scenarios, after.test_scenarios)
  if (settings !== null) checkEvidence(touched, settings)
  const relinked = settings === null ? [] : relinkedCards(after, cards, settings)

  const fields = [...changed]
  const values = Object.fromEntries(fields.map(field => [field, after[field as keyof SpecRecord]]))
  const { version, evaluations, changed_since_validated, updated_at } = after
  const removed = removals.length === 0 ? {} : { removed_item_numbers: removedNumbers(before, after) }
  await updateRow(
    ctx.db,
    'specs',
    before.id,
    columnsOf({ ...values, ...removed, version, evaluations, changed_since_validated, updated_at }),
  )
  for (const { id, ids } of relinked) await writeLinks(ctx, id, { test_scenario_ids: ids })
  await recordOn(ctx, 'spec', after, {
    activity: { action: 'spec_updated', details: { spec_id: before.id, version, fields } },
    history: {
      action: 'updated',
      changes: changing.historyOf?.(before, after) ?? changes,
      summary: summaryOf(fields, inUse),
    },
    workOn: changed.has('test_scenarios') ? cardsOfChanged(before.test_scenarios, after.test_scenarios) : [],
    domain: [
      { name: 'spec.updated', spec_id: before.id, fields },
      ...(raised ? [{ name: 'spec.version_bumped', spec_id: before.id, version }] : []),
    ],
  })
  if (settings !== null) await recordStatusChanges(ctx, before, after, settings)
  await markConcerned(ctx, before, after, changes)
  return after
}

/** The summary of a change in the history; items that were in use are listed (crew 1.4). */
function summaryOf(fields: readonly string[], inUse: readonly ItemInUse[]): string {
  const changed = `Changed ${fields.join(', ')}`
  if (inUse.length === 0) return changed
  const names = inUse.slice(0, maxInSummary).map(({ list, id, title }) => `${list} ${id ?? `"${excerpt(title, 60)}"`}`)
  const others = inUse.length - names.length
  return `${changed}; removed in use: ${names.join(', ')}${others === 0 ? '' : ` and ${others} more`}`
}

const maxInSummary = 10

/**
 * What new content changes besides itself: the version, and in an evaluated spec the evaluations, which become stale.
 */
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
