import { sameJson } from '../../lib/json.ts'
import { type Decision, type Linkables, linkableLists, type Scenario } from './items.ts'
import type { SpecRecord } from './store.ts'

/** The lists and texts of a spec as a body sends them, those that it sends. */
export type Sent = Partial<SpecRecord>

const once = (references: string[] | null) => (references === null ? null : [...new Set(references)])

/** The decisions as stored: one that is active as sent and superseded by one active as sent is `superseded` (specs 4.2). */
export function withSuperseded(decisions: readonly Decision[]): Decision[] {
  const superseded = new Set(
    decisions.filter(({ status }) => status === 'active').map(decision => decision.supersedes_decision_id),
  )
  return decisions.map(decision =>
    decision.status === 'active' && superseded.has(decision.id) ? { ...decision, status: 'superseded' } : decision,
  )
}

const referenceFields = ['linked_criteria', 'linked_requirements', 'linked_rules', 'linked_task_ids'] as const

/** An item with each reference once, in its first place (specs 4.1). */
function withReferencesOnce<Item>(item: Item): Item {
  if (typeof item !== 'object' || item === null) return item
  const record = item as Readonly<Record<string, unknown>>
  const lists = referenceFields
    .filter(field => Array.isArray(record[field]))
    .map(field => [field, once(record[field] as string[])])
  return { ...item, ...Object.fromEntries(lists) }
}

/** The fields of a body as they will be stored: references once, decisions superseded. */
export function storedForm(sent: Sent): Sent {
  const lists = linkableLists
    .filter(field => sent[field] != null)
    .map(field => [field, (sent[field] as readonly unknown[]).map(withReferencesOnce)])
  const form = { ...sent, ...(Object.fromEntries(lists) as Partial<Linkables>) }
  return form.decisions == null ? form : { ...form, decisions: withSuperseded(form.decisions) }
}

const unlinked = (requirements: SpecRecord['technical_requirements']) =>
  requirements?.map(requirement =>
    typeof requirement === 'string' ? requirement : { ...requirement, linked_task_ids: null },
  ) ?? null

const contentFields = ['description', 'context', 'functional_requirements', 'acceptance_criteria'] as const

/** What of a spec its version counts. */
export type Content = Pick<SpecRecord, (typeof contentFields)[number] | 'technical_requirements'>

/** Whether a change raises the version: content, without the links of technical requirements (specs 3.3). */
export const changesContent = (before: Content, after: Content): boolean =>
  contentFields.some(field => !sameJson(before[field], after[field])) ||
  !sameJson(unlinked(before.technical_requirements), unlinked(after.technical_requirements))

/** A scenario whose status is another one than it was. */
export interface StatusChange {
  readonly scenario: Scenario
  readonly from: Scenario['status']
}

/** The scenarios that were there before with another status. */
export function statusChanges(before: readonly Scenario[] | null, after: readonly Scenario[] | null): StatusChange[] {
  const former = new Map((before ?? []).map(scenario => [scenario.id, scenario.status]))
  return (after ?? []).flatMap(scenario => {
    const from = former.get(scenario.id)
    return from === undefined || from === scenario.status ? [] : [{ scenario, from }]
  })
}

/** The scenarios whose evidence is asked for: new, or with another status or evidence (specs 4.3). */
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
