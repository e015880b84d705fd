/** The limits of this service's fields, and how longer values are cut (exchange 2). */
import type { NeutralCard, NeutralRecord, NeutralType } from './neutral.ts'

/** The most characters of a text. */
const mostCharacters: { readonly [Type in NeutralType]?: Readonly<Record<string, number>> } = {
  guideline: { title: 500 },
  ideation: { title: 500, assignee_id: 255 },
  spec: { title: 500, assignee_id: 255 },
  card: { title: 500, description: 200_000, details: 200_000, assignee_id: 255 },
  knowledge: { title: 500 },
  comment: { content: 100_000 },
}

/** The most elements of a list. */
const mostElements: { readonly [Type in NeutralType]?: Readonly<Record<string, number>> } = {
  ideation: { labels: 500 },
  spec: { labels: 500, functional_requirements: 500, acceptance_criteria: 500, test_scenarios: 500, decisions: 500 },
  card: { labels: 50, test_scenario_ids: 500 },
}

/** The most characters of a card's label. */
const longestLabel = 100

/** The most characters of a conclusion. */
const longestConclusion = 200_000

/** The most characters of a knowledge entry; longer ones are split. */
export const longestKnowledge = 1_000_000

/** The most characters of a line of text (walls 5). */
export const longestLine = 100_000

/** The number of the first line longer than a limit; null if there is none. */
export function lineAbove(text: string, most: number): number | null {
  let line = 1
  for (let from = 0; from <= text.length; line++) {
    const end = text.indexOf('\n', from)
    if ((end === -1 ? text.length : end) - from > most) return line
    if (end === -1) return null
    from = end + 1
  }
  return null
}

/** The most characters of a board's name. */
export const longestName = 255

/** A field that has to be cut. */
export interface Cut {
  readonly field: string
  /** The shortened value in the record. */
  readonly left: unknown
  /** The full value, to be kept elsewhere. */
  readonly whole: unknown
  readonly reason: string
}

/** A record within all limits, and what was cut. */
export function withinLimits<R extends NeutralRecord>(record: R): { record: R; cuts: Cut[] } {
  const cuts = [...longFields(record), ...(record.type === 'card' ? longParts(record) : [])]
  return { record: { ...record, ...Object.fromEntries(cuts.map(({ field, left }) => [field, left])) }, cuts }
}

function* longFields(record: NeutralRecord): Generator<Cut> {
  for (const [field, value] of Object.entries(record)) {
    const characters = mostCharacters[record.type]?.[field] ?? Number.POSITIVE_INFINITY
    if (typeof value === 'string' && value.length > characters) {
      const reason = `The ${field} is cut to ${characters} characters.`
      yield { field, left: start(value, characters), whole: value, reason }
    }
    const elements = mostElements[record.type]?.[field] ?? Number.POSITIVE_INFINITY
    if (Array.isArray(value) && value.length > elements) {
      const reason = `Of ${field}, the first ${elements} are taken.`
      yield { field, left: value.slice(0, elements), whole: value.slice(elements), reason }
    }
  }
}

/** The parts of a card that are too long individually. */
function* longParts({ labels, conclusions }: NeutralCard): Generator<Cut> {
  const long = labels.filter(label => label.length > longestLabel)
  if (long.length > 0) {
    const cut = new Set(labels.map(label => start(label, longestLabel)))
    const left = [...cut].slice(0, mostElements.card!.labels)
    yield { field: 'labels', left, whole: long, reason: `Labels are cut to ${longestLabel} characters.` }
  }
  const texts = conclusions.map(({ text }) => text)
  if (texts.some(text => text.length > longestConclusion))
    yield {
      field: 'conclusions',
      left: conclusions.map(conclusion => ({ ...conclusion, text: start(conclusion.text, longestConclusion) })),
      whole: texts.join('\n\n'),
      reason: `The conclusion is cut to ${longestConclusion} characters.`,
    }
}

/** The first characters of a text, without splitting a surrogate pair. */
export function start(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, most)
  return cut.isWellFormed() ? cut : text.slice(0, most - 1)
}

/** A text split into parts of limited length, without splitting surrogate pairs. */
export function partsOf(text: string, most: number): string[] {
  const parts: string[] = []
  for (let rest = text; rest !== ''; rest = rest.slice(parts.at(-1)!.length)) parts.push(start(rest, most))
  return parts
}

/**
 * A value whose texts the service can store: without NUL characters and lone surrogates. Returns the value itself if
 * nothing has to change.
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
