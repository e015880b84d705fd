import { invalid } from '../../kernel/errors.ts'
import { technicalItems } from './items.ts'
import type { SpecRecord } from './store.ts'

/** What references are judged on: the spec as it will be stored. */
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

/** One item that is wrong: where it stands, in which field, and what it names. */
interface Offender {
  readonly owner: string
  readonly field: string
  readonly reference: string
  readonly message: string
}

/**
 * The places of the texts that a reference names: a 0-based index as a decimal string names one, an exact text
 * each that equals it. An index wins over an equal text (specs 4.1).
 */
export function placesOf(reference: string, texts: readonly string[] | null): number[] {
  const list = texts ?? []
  const index = /^(0|[1-9]\d*)$/.test(reference) ? Number(reference) : list.length
  return index < list.length ? [index] : [...list.keys()].filter(place => list[place] === reference)
}

interface Identified {
  readonly id: string
}

const itemLists = (spec: Referring): readonly (readonly [string, readonly Identified[]])[] => [
  ['test_scenarios', spec.test_scenarios ?? []],
  ['business_rules', spec.business_rules ?? []],
  ['api_contracts', spec.api_contracts ?? []],
  ['decisions', spec.decisions ?? []],
  ['technical_requirements', technicalItems(spec.technical_requirements)],
  ['screen_mockups', spec.screen_mockups ?? []],
]

function idOffenders(spec: Referring): Offender[] {
  return itemLists(spec).flatMap(([list, items]) =>
    items.flatMap(({ id }, index) => {
      const offender = (message: string) => [{ owner: `${list}.${id}`, field: 'id', reference: id, message }]
      if (id.length < 1 || id.length > 100) return offender('an id has 1 to 100 characters')
      return items.findIndex(other => other.id === id) < index ? offender('another item of the list has this id') : []
    }),
  )
}

/** The decisions that stand on a cycle of `supersedes_decision_id`. */
function onCycle(decisions: readonly { id: string; supersedes_decision_id: string | null }[]): ReadonlySet<string> {
  const next = new Map(decisions.map(({ id, supersedes_decision_id }) => [id, supersedes_decision_id]))
  const cyclic = decisions.filter(({ id }) => {
    let at = next.get(id) ?? null
    for (let steps = 0; at !== null && at !== id && steps < decisions.length; steps++) at = next.get(at) ?? null
    return at === id
  })
  return new Set(cyclic.map(({ id }) => id))
}

function referenceOffenders(spec: Referring, isCard: (id: string) => boolean): Offender[] {
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
  const requirements = spec.functional_requirements
  const isRequirement = (reference: string) => placesOf(reference, requirements).length > 0
  const isCriterion = (reference: string) => placesOf(reference, spec.acceptance_criteria).length > 0
  const rules = new Set((spec.business_rules ?? []).map(rule => rule.id))
  const decisions = spec.decisions ?? []
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
    const isOther = (reference: string) => reference !== id && decisions.some(other => other.id === reference)
    check(owner, 'supersedes_decision_id', named, isOther, 'no other decision has this id')
    const closes = (reference: string) => !(isOther(reference) && cyclic.has(id))
    check(owner, 'supersedes_decision_id', named, closes, 'the decisions supersede each other in a circle')
  }
  const linked = itemLists(spec) as readonly (readonly [
    string,
    readonly (Identified & { readonly linked_task_ids?: readonly string[] | null })[],
  ])[]
  for (const [list, items] of linked)
    for (const { id, linked_task_ids } of items)
      check(`${list}.${id}`, 'linked_task_ids', linked_task_ids ?? null, isCard, 'no card of this spec has this id')
  return offenders
}

/**
 * The ids and references of a spec as it will be stored (specs 2.2, 4.1); all offenders at once.
 * @param isCard whether an id is that of a card of this spec
 * @throws DomainError VALIDATION_ERROR with `details`
 */
export function checkReferences(spec: Referring, isCard: (id: string) => boolean): void {
  const details = [...idOffenders(spec), ...referenceOffenders(spec, isCard)]
  const first = details[0]
  if (first === undefined) return
  const texts = details.map(({ owner, field, reference, message }) => `${owner}.${field} "${reference}": ${message}`)
  throw invalid(first.owner.slice(0, first.owner.indexOf('.')), `Not stored. ${texts.join('; ')}.`, { details })
}
