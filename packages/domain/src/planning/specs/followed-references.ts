import type { SpecFields } from './content.ts'
import type { Linkables } from './items.ts'
import { indexIn, type Offender, type Referring } from './references.ts'

/** The lists whose stored items refer to a list of texts, and the field with the references. */
const referring = {
  functional_requirements: {
    field: 'linked_requirements',
    lists: ['business_rules', 'api_contracts', 'decisions'],
  },
  acceptance_criteria: { field: 'linked_criteria', lists: ['test_scenarios'] },
} as const

/** Stored references after the texts that they refer to were replaced. */
export interface UpdatedReferences {
  /** The lists whose references changed. */
  readonly lists: Partial<Linkables>
  /** The references whose text is gone while another old text took its place. */
  readonly lost: readonly Offender[]
}

/**
 * What happens to references: each keeps its value, gets the new index of its text, or becomes undefined when it would
 * refer to another text.
 */
function following(before: readonly string[], after: readonly string[]): (reference: string) => string | undefined {
  const former = new Set(before)
  const places = new Map(after.map((text, place) => [text, place] as const).toReversed())
  return reference => {
    const index = indexIn(before, reference)
    if (index === undefined || after[index] === before[index]) return reference
    const place = places.get(before[index]!)
    if (place !== undefined) return String(place)
    const replacing = after[index]
    return replacing !== undefined && former.has(replacing) ? undefined : reference
  }
}

/**
 * The references by index after a PATCH replaced `functional_requirements` or `acceptance_criteria` (specs 4.1): each
 * follows its text, or stays if the text at its place is new. References of lists that come in the same PATCH are used
 * as sent.
 */
export function followTexts(before: Referring, update: SpecFields): UpdatedReferences {
  const lists: Record<string, unknown> = {}
  const lost: Offender[] = []
  for (const texts of ['functional_requirements', 'acceptance_criteria'] as const) {
    if (update[texts] === undefined) continue
    const { field, lists: names } = referring[texts]
    const [old, now] = [before[texts] ?? [], update[texts] ?? []]
    const followed = following(old, now)
    const follow = (owner: string, reference: string): string => {
      const place = followed(reference)
      if (place === undefined)
        lost.push({ owner, field, reference, message: `the text "${old[Number(reference)]}" is gone` })
      return place ?? reference
    }
    for (const name of names) {
      if (update[name] !== undefined || before[name] === null) continue
      lists[name] = (before[name] as readonly Item[]).map(item => {
        const references = item[field]
        return references == null
          ? item
          : { ...item, [field]: [...new Set(references.map(reference => follow(`${name}.${item.id}`, reference)))] }
      })
    }
  }
  return { lists: lists as Partial<Linkables>, lost }
}

interface Item {
  readonly id: string
  readonly linked_requirements?: readonly string[] | null
  readonly linked_criteria?: readonly string[] | null
}
