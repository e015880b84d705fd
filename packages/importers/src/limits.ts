/** The limits of this service's fields, and how what exceeds them is cut (exchange 1). */
import type { NeutralRecord, NeutralType } from './neutral.ts'

/** The most characters of a text. */
const mostCharacters: { readonly [Type in NeutralType]?: Readonly<Record<string, number>> } = {
  guideline: { title: 500 },
  spec: { title: 500, assignee_id: 255 },
  card: { title: 500, description: 200_000, details: 200_000, assignee_id: 255 },
  knowledge: { title: 500 },
  comment: { content: 100_000 },
}

/** The most elements of a list. */
const mostElements: { readonly [Type in NeutralType]?: Readonly<Record<string, number>> } = {
  spec: { labels: 500, functional_requirements: 500, acceptance_criteria: 500, test_scenarios: 500, decisions: 500 },
  card: { labels: 50, test_scenario_ids: 500 },
}

/** The most characters of a card's label. */
export const longestLabel = 100

/** The most characters of a conclusion. */
export const longestConclusion = 200_000

/** The most characters of a knowledge entry; longer ones are divided. */
export const longestKnowledge = 1_000_000

/** The most characters of a board's name. */
export const longestName = 255

/** A field that had to be cut: what was left out of it stands in `whole`. */
export interface Cut {
  readonly field: string
  readonly whole: unknown
  readonly reason: string
}

/** A record within all limits, and what was cut. */
export function withinLimits<R extends NeutralRecord>(record: R): { record: R; cuts: Cut[] } {
  const cuts: Cut[] = []
  const changed: Record<string, unknown> = {}
  const cut = (field: string, whole: unknown, left: unknown, reason: string): void => {
    changed[field] = left
    cuts.push({ field, whole, reason })
  }
  for (const [field, value] of Object.entries(record)) {
    const characters = mostCharacters[record.type]?.[field]
    if (typeof value === 'string' && characters !== undefined && value.length > characters)
      cut(field, value, start(value, characters), `The ${field} is cut to ${characters} characters.`)
    const elements = mostElements[record.type]?.[field]
    if (Array.isArray(value) && elements !== undefined && value.length > elements)
      cut(field, value.slice(elements), value.slice(0, elements), `Of ${field}, the first ${elements} are taken.`)
  }
  if (record.type === 'card') {
    const { labels, conclusions } = { ...record, ...changed }
    if (labels.some(label => label.length > longestLabel))
      cut(
        'labels',
        record.labels,
        [...new Set(labels.map(label => start(label, longestLabel)))],
        `Labels are cut to ${longestLabel} characters.`,
      )
    if (conclusions.some(({ text }) => text.length > longestConclusion))
      cut(
        'conclusions',
        record.conclusions.map(({ text }) => text).join('\n\n'),
        conclusions.map(conclusion => ({ ...conclusion, text: start(conclusion.text, longestConclusion) })),
        `The conclusion is cut to ${longestConclusion} characters.`,
      )
  }
  return { record: { ...record, ...changed }, cuts }
}

/** The first characters of a text, without half a surrogate pair at the end. */
export function start(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, most)
  return cut.isWellFormed() ? cut : text.slice(0, most - 1)
}

/** A text in parts of at most so many characters, without a pair of surrogates torn apart. */
export function partsOf(text: string, most: number): string[] {
  const parts: string[] = []
  for (let rest = text; rest !== ''; rest = rest.slice(parts.at(-1)!.length)) parts.push(start(rest, most))
  return parts
}

/**
 * A value whose texts the service can store: without NUL characters and halves of surrogate pairs. The value itself if
 * there is nothing to mend.
 */
export function storable<Value>(value: Value): Value {
  if (typeof value === 'string')
    return (value.includes('\0') || !value.isWellFormed() ? value.replaceAll('\0', '').toWellFormed() : value) as Value
  if (Array.isArray(value)) {
    const mended = value.map(storable)
    return mended.some((element, index) => element !== value[index]) ? (mended as Value) : value
  }
  if (typeof value !== 'object' || value === null) return value
  const mended = Object.entries(value).map(([key, inner]) => [key, storable(inner)] as const)
  return mended.some(([key, inner]) => inner !== (value as Record<string, unknown>)[key])
    ? (Object.fromEntries(mended) as Value)
    : value
}
