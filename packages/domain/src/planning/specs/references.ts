import { invalid } from '../../kernel/errors.ts'
import { excerpt } from '../../lib/excerpt.ts'
import { technicalItems } from './items.ts'
import type { SpecRecord } from './store.ts'

/** The fields that references depend on, as they will be stored. */
export type Referring = Pick<
  SpecRecord,
  | 'functional_requirements'
  | 'technical_requirements'
  | 'acceptance_criteria'
  | 'test_scenarios'
  | 'business_rules'
  | 'api_contracts'
  | 'decisions'
  | 'screen_mockups'
>

/** An invalid item: its path, its field, and the value at fault. */
export interface Offender {
  readonly owner: string
  readonly field: string
  readonly reference: string
  readonly message: string
}

/**
 * Finds the indexes of the texts that a reference refers to: a 0-based index as a decimal string names one text, any
 * other reference every text equal to it. An index takes precedence over an equal text (specs 4.1).
 */
export function placesIn(texts: readonly string[] | null): (reference: string) => readonly number[] {
  const list = texts ?? []
  const byText = Map.groupBy(list.keys(), place => list[place]!)
  return reference => {
    const index = indexIn(list, reference)
    return index === undefined ? (byText.get(reference) ?? []) : [index]
  }
}

/** The index in a reference, unless it is beyond the list or not a decimal string. */
export function indexIn(list: readonly string[], reference: string): number | undefined {
  const index = /^(0|[1-9]\d*)$/.test(reference) ? Number(reference) : list.length
  return index < list.length ? index : undefined
}

interface IdentifiedItem {
  readonly id: string
}

const itemLists = (spec: Referring): readonly (readonly [string, readonly IdentifiedItem[]])[] => [
  ['test_scenarios', spec.test_scenarios ?? []],
  ['business_rules', spec.business_rules ?? []],
  ['api_contracts', spec.api_contracts ?? []],
  ['decisions', spec.decisions ?? []],
  ['technical_requirements', technicalItems(spec.technical_requirements)],
  ['screen_mockups', spec.screen_mockups ?? []],
]

function idOffenders(spec: Referring): Offender[] {
  return itemLists(spec).flatMap(([list, items]) => {
    const seen = new Set<string>()
    return items.flatMap(({ id }) => {
      const offender = (message: string) => [{ owner: `${list}.${id}`, field: 'id', reference: id, message }]
      if (id.length < 1 || id.length > 100) return offender('an id has 1 to 100 characters')
      if (seen.has(id)) return offender('another item of the list has this id')
      seen.add(id)
      return []
    })
  })
}

/** The decisions on cycles of `supersedes_decision_id`; visits each decision once. */
function onCycle(decisions: readonly { id: string; supersedes_decision_id: string | null }[]): ReadonlySet<string> {
  const next = new Map(decisions.map(({ id, supersedes_decision_id }) => [id, supersedes_decision_id]))
  const cyclic = new Set<string>()
  const walked = new Set<string>()
  for (const { id } of decisions) {
    const path = new Set<string>()
    let at: string | null = id
    while (at !== null && !walked.has(at)) {
      walked.add(at)
      path.add(at)
      at = next.get(at) ?? null
    }
    if (at === null || !path.has(at)) continue
    for (let member = at; !cyclic.has(member); member = next.get(member)!) cyclic.add(member)
  }
  return cyclic
}

/** Maximum number of faulty references in an answer, which says how many more there are. */
const maxListed = 100

/** The references of a spec's items that refer to nothing. */
export function referenceOffenders(spec: Referring, isCard: (id: string) => boolean): Offender[] {
  const offenders: Offender[] = []
  const check = (
    owner: string,
    field: string,
    references: readonly string[] | null,
    fits: (reference: string) => boolean,
    message: string,
  ) => {
    for (const reference of references ?? []) if (!fits(reference)) offenders.push({ owner, field, reference, message })
  }
  const requirements = placesIn(spec.functional_requirements)
  const criteria = placesIn(spec.acceptance_criteria)
  const isRequirement = (reference: string) => requirements(reference).length > 0
  const isCriterion = (reference: string) => criteria(reference).length > 0
  const rules = new Set((spec.business_rules ?? []).map(rule => rule.id))
  const decisions = spec.decisions ?? []
  const decisionIds = new Set(decisions.map(({ id }) => id))
  const cyclic = onCycle(decisions)
  const notRequirement = 'no functional requirement has this index or text'

  for (const scenario of spec.test_scenarios ?? []) {
    const owner = `test_scenarios.${scenario.id}`
    const message = 'no acceptance criterion has this index or text'
    check(owner, 'linked_criteria', scenario.linked_criteria, isCriterion, message)
  }
  for (const rule of spec.business_rules ?? [])
    check(`business_rules.${rule.id}`, 'linked_requirements', rule.linked_requirements, isRequirement, notRequirement)
  for (const contract of spec.api_contracts ?? []) {
    const owner = `api_contracts.${contract.id}`
    check(owner, 'linked_requirements', contract.linked_requirements, isRequirement, notRequirement)
    check(owner, 'linked_rules', contract.linked_rules, id => rules.has(id), 'no business rule has this id')
  }
  for (const { id, linked_requirements, supersedes_decision_id } of decisions) {
    const owner = `decisions.${id}`
    check(owner, 'linked_requirements', linked_requirements, isRequirement, notRequirement)
    const named = supersedes_decision_id === null ? [] : [supersedes_decision_id]
    const isOther = (reference: string) => reference !== id && decisionIds.has(reference)
    check(owner, 'supersedes_decision_id', named, isOther, 'no other decision has this id')
    const closes = (reference: string) => !(isOther(reference) && cyclic.has(id))
    check(owner, 'supersedes_decision_id', named, closes, 'the decisions supersede each other in a cycle')
  }
  const linked = itemLists(spec) as readonly (readonly [
    string,
    readonly (IdentifiedItem & { readonly linked_task_ids?: readonly string[] | null })[],
  ])[]
  for (const [list, items] of linked)
    for (const { id, linked_task_ids } of items)
      check(`${list}.${id}`, 'linked_task_ids', linked_task_ids ?? null, isCard, 'no card of this spec has this id')
  return offenders
}

/**
 * Checks the ids and references of a spec as it will be stored (specs 2.2, 4.1); lists the first hundred offenders.
 * @param isCard whether an id belongs to a card of this spec
 * @param lost invalid references that the spec alone does not reveal
 * @throws DomainError VALIDATION_ERROR with `details`
 */
export function checkReferences(
  spec: Referring,
  isCard: (id: string) => boolean,
  lost: readonly Offender[] = [],
): void {
  const details = [...idOffenders(spec), ...lost, ...referenceOffenders(spec, isCard)]
  const first = details[0]
  if (first === undefined) return
  const listed = details.slice(0, maxListed)
  const texts = listed.map(
    ({ owner, field, reference, message }) => `${owner}.${field} "${excerpt(reference, 200)}": ${message}`,
  )
  const more = details.length - listed.length
  const rest = more === 0 ? '' : ` ${more} more are not listed.`
  throw invalid(first.owner.slice(0, first.owner.indexOf('.')), `Not stored. ${texts.join('; ')}.${rest}`, {
    details: listed,
  })
}
