/** The part of a spec that a card is linked to. */
import type { BodyOf } from './reader.ts'

type Card = Pick<BodyOf<'get_card'>, 'id' | 'test_scenario_ids'>
type Spec = BodyOf<'get_spec'>

interface TaskLinks {
  readonly linked_task_ids?: readonly string[] | null
}

/** The items of a spec that reference a card, and the scenarios that the card references. */
export function linkedParts(card: Card, spec: Spec) {
  const linked = <Item extends TaskLinks | string>(items: readonly Item[] | null): Exclude<Item, string>[] =>
    (items ?? []).filter(
      (item): item is Exclude<Item, string> =>
        typeof item === 'object' && (item.linked_task_ids ?? []).includes(card.id),
    )
  return {
    scenarios: (spec.test_scenarios ?? []).filter(({ id }) => card.test_scenario_ids.includes(id)),
    rules: linked(spec.business_rules),
    technical: linked(spec.technical_requirements),
    contracts: linked(spec.api_contracts),
    decisions: linked(spec.decisions),
  }
}

/** The texts that references resolve to, by index or by text, each with its index. */
export function textsNamed(
  texts: readonly string[] | null,
  references: readonly string[],
): { readonly index: number; readonly text: string }[] {
  const named = new Set(references)
  return (texts ?? [])
    .map((text, index) => ({ index, text }))
    .filter(({ index, text }) => named.has(String(index)) || named.has(text))
}
