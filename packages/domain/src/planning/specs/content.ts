import { sameJson } from '../../lib/json.ts'
import { type Decision, type Linkables, linkableLists, type Scenario } from './items.ts'
import type { SpecRecord } from './store.ts'

/** The fields of a spec in a request body. */
export type SpecFields = Partial<SpecRecord>

const once = (references: string[] | null) => (references === null ? null : [...new Set(references)])

/** The decisions as stored: one sent as active and superseded by another sent as active is `superseded` (specs 4.2). */
export function withSuperseded(decisions: readonly Decision[]): Decision[] {
  const superseded = new Set(
    decisions.filter(({ status }) => status === 'active').map(decision => decision.supersedes_decision_id),
  )
  return decisions.map(decision =>
    decision.status === 'active' && superseded.has(decision.id) ? { ...decision, status: 'superseded' } : decision,
  )
}

const referenceFields = ['linked_criteria', 'linked_requirements', 'linked_rules', 'linked_task_ids'] as const

/** An item with each reference once, at its first position (specs 4.1). */
function withReferencesOnce<Item>(item: Item): Item {
  if (typeof item !== 'object' || item === null) return item
  const record = item as Readonly<Record<string, unknown>>
  const lists = referenceFields
    .filter(field => Array.isArray(record[field]))
    .map(field => [field, once(record[field] as string[])])
  return { ...item, ...Object.fromEntries(lists) }
}

/** The fields of a body in their stored form: without repeated references, with superseded decisions marked. */
export function storedForm(fields: SpecFields): SpecFields {
  const lists = linkableLists
    .filter(field => fields[field] != null)
    .map(field => [field, (fields[field] as readonly unknown[]).map(withReferencesOnce)])
  const form = { ...fields, ...(Object.fromEntries(lists) as Partial<Linkables>) }
  return form.decisions == null ? form : { ...form, decisions: withSuperseded(form.decisions) }
}

const unlinked = (requirements: SpecRecord['technical_requirements']) =>
  requirements?.map(requirement =>
    typeof requirement === 'string' ? requirement : { ...requirement, linked_task_ids: null },
  ) ?? null

const contentFields = ['description', 'context', 'functional_requirements', 'acceptance_criteria'] as const

/** The fields of a spec whose changes raise its version. */
export type Content = Pick<SpecRecord, (typeof contentFields)[number] | 'technical_requirements'>

/** Whether a change raises the version: it changes content other than links of technical requirements (specs 3.3). */
export const changesContent = (before: Content, after: Content): boolean =>
  contentFields.some(field => !sameJson(before[field], after[field])) ||
  !sameJson(unlinked(before.technical_requirements), unlinked(after.technical_requirements))

/** A scenario whose status has changed. */
export interface StatusChange {
  readonly scenario: Scenario
  readonly from: Scenario['status']
}

/** The existing scenarios whose status has changed. */
export function statusChanges(before: readonly Scenario[] | null, after: readonly Scenario[] | null): StatusChange[] {
  const former = new Map((before ?? []).map(scenario => [scenario.id, scenario.status]))
  return (after ?? []).flatMap(scenario => {
    const from = former.get(scenario.id)
    return from === undefined || from === scenario.status ? [] : [{ scenario, from }]
  })
}

/** The cards that are or were linked to new, changed and removed scenarios. */
export function cardsOfChanged(before: readonly Scenario[] | null, after: readonly Scenario[] | null): string[] {
  const [former, present] = [before ?? [], after ?? []].map(list => new Map(list.map(each => [each.id, each] as const)))
  const ids = new Set([...former!.keys(), ...present!.keys()])
  return [...ids].flatMap(id => {
    const [was, is] = [former!.get(id), present!.get(id)]
    return sameJson(was ?? null, is ?? null) ? [] : [...(was?.linked_task_ids ?? []), ...(is?.linked_task_ids ?? [])]
  })
}

/** The scenarios whose evidence has to be checked: new ones, and those with another status or evidence (specs 4.3). */
export function touchedScenarios(before: readonly Scenario[] | null, after: readonly Scenario[] | null): Scenario[] {
  const former = new Map((before ?? []).map(scenario => [scenario.id, scenario]))
  return (after ?? []).filter(scenario => {
    const was = former.get(scenario.id)
    return (
      was === undefined ||
      was.status !== scenario.status ||
      !sameJson(was.evidence, scenario.evidence) ||
      !sameJson(was.latest_evidence, scenario.latest_evidence)
    )
  })
}
