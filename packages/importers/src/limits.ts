/** The limits of this service's fields, and how longer values are cut (exchange 2). */
import { hasLongText, mostCharacters } from '@specboard/contract'
import type { NeutralCard, NeutralRecord, NeutralType } from './neutral.ts'

/** The most characters of a text, where they are not those of any text (walls 3); knowledge is divided. */
const ownMost: { readonly [Type in NeutralType]?: Readonly<Record<string, number>> } = {
  guideline: { title: 500 },
  ideation: { title: 500, assignee_id: 255 },
  spec: { title: 500, assignee_id: 255 },
  card: { title: 500, assignee_id: 255 },
  knowledge: { title: 500, content: Number.POSITIVE_INFINITY },
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
export interface CutField {
  readonly field: string
  /** The shortened value in the record. */
  readonly left: unknown
  /** The full value, to be kept elsewhere. */
  readonly whole: unknown
  readonly reason: string
}

/** A record within all limits, and what was cut. */
export function withinLimits<R extends NeutralRecord>(record: R): { record: R; cuts: CutField[] } {
  const cuts = [...longFields(record), ...(record.type === 'card' ? longLabels(record) : [])]
  return { record: { ...record, ...Object.fromEntries(cuts.map(({ field, left }) => [field, left])) }, cuts }
}

function* longFields(record: NeutralRecord): Generator<CutField> {
  for (const [field, value] of Object.entries(record)) {
    if (typeof value === 'string') {
      const most = ownMost[record.type]?.[field] ?? mostCharacters
      const reason = `The ${field} is cut to ${most} characters.`
      if (value.length > most) yield { field, left: start(value, most), whole: value, reason }
    } else if (Array.isArray(value)) yield* longList(field, value, mostElements[record.type]?.[field])
  }
}

/** The texts of a list that are too long, and the elements that are too many. */
function* longList(field: string, list: readonly unknown[], most = Number.POSITIVE_INFINITY): Generator<CutField> {
  const left = shortened(list)
  if (left !== list) {
    const whole = list.filter(hasLongText)
    yield { field, left, whole, reason: `Texts of ${field} are cut to ${mostCharacters} characters.` }
  }
  if (list.length > most) {
    const reason = `Of ${field}, the first ${most} are taken.`
    yield { field, left: left.slice(0, most), whole: list.slice(most), reason }
  }
}

/** A value without texts longer than any may be; itself where there are none. */
function shortened<Value>(value: Value): Value {
  if (!hasLongText(value)) return value
  if (typeof value === 'string') return start(value, mostCharacters) as Value
  if (Array.isArray(value)) return value.map(shortened) as Value
  const members = Object.entries(value as object).map(([name, member]) => [name, shortened(member)])
  return Object.fromEntries(members) as Value
}

/** The labels that are too long individually. */
function* longLabels({ labels }: NeutralCard): Generator<CutField> {
  const long = labels.filter(label => label.length > longestLabel)
  if (long.length === 0) return
  const cut = new Set(labels.map(label => start(label, longestLabel)))
  const left = [...cut].slice(0, mostElements.card!.labels)
  yield { field: 'labels', left, whole: long, reason: `Labels are cut to ${longestLabel} characters.` }
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
