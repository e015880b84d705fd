/** The limits of this service's fields, and how longer values are cut (exchange 2). */
import { hasLongText, maxCharacters } from '@specboard/contract'
import type { NeutralCard, NeutralRecord, NeutralType } from './neutral.ts'

/** Maximum number of characters of a text, where it differs from the general limit (walls 3); knowledge is divided. */
const ownMost: { readonly [Type in NeutralType]?: Readonly<Record<string, number>> } = {
  guideline: { title: 500 },
  ideation: { title: 500, assignee_id: 255 },
  spec: { title: 500, assignee_id: 255 },
  card: { title: 500, assignee_id: 255 },
  knowledge: { title: 500, content: Number.POSITIVE_INFINITY },
  comment: { content: 100_000 },
}

/** Maximum number of elements of a list. */
const maxElements: { readonly [Type in NeutralType]?: Readonly<Record<string, number>> } = {
  ideation: { labels: 500 },
  spec: { labels: 500, functional_requirements: 500, acceptance_criteria: 500, test_scenarios: 500, decisions: 500 },
  card: { labels: 50, test_scenario_ids: 500 },
}

/** Maximum number of characters of a card's label. */
const maxLabelLength = 100

/** Maximum number of characters of a knowledge entry; longer ones are split. */
export const maxKnowledgeLength = 1_000_000

/** Maximum number of characters of a line of text (walls 5). */
export const maxLineLength = 100_000

/** The number of the first line longer than a limit; null if there is none. */
export function lineAbove(text: string, max: number): number | null {
  let line = 1
  for (let from = 0; from <= text.length; line++) {
    const end = text.indexOf('\n', from)
    if ((end === -1 ? text.length : end) - from > max) return line
    if (end === -1) return null
    from = end + 1
  }
  return null
}

/** Maximum number of characters of a board's name. */
export const maxNameLength = 255

/** A field that has to be cut. */
export interface CutField {
  readonly field: string
  /** The shortened value in the record. */
  readonly limited: unknown
  /** The full value, to be kept elsewhere. */
  readonly whole: unknown
  readonly reason: string
}

/** A record within all limits, and what was cut. */
export function withinLimits<R extends NeutralRecord>(record: R): { record: R; cuts: CutField[] } {
  const cuts = [...longFields(record), ...(record.type === 'card' ? longLabels(record) : [])]
  return { record: { ...record, ...Object.fromEntries(cuts.map(({ field, limited }) => [field, limited])) }, cuts }
}

function* longFields(record: NeutralRecord): Generator<CutField> {
  for (const [field, value] of Object.entries(record)) {
    if (typeof value === 'string') {
      const max = ownMost[record.type]?.[field] ?? maxCharacters
      const reason = `The ${field} is cut to ${max} characters.`
      if (value.length > max) yield { field, limited: start(value, max), whole: value, reason }
    } else if (Array.isArray(value)) yield* longList(field, value, maxElements[record.type]?.[field])
  }
}

/** The texts of a list that are too long, and the elements beyond the maximum. */
function* longList(field: string, list: readonly unknown[], max = Number.POSITIVE_INFINITY): Generator<CutField> {
  const limited = shortened(list)
  if (limited !== list) {
    const whole = list.filter(hasLongText)
    yield { field, limited, whole, reason: `Texts of ${field} are cut to ${maxCharacters} characters.` }
  }
  if (list.length > max) {
    const reason = `Of ${field}, the first ${max} are taken.`
    yield { field, limited: limited.slice(0, max), whole: list.slice(max), reason }
  }
}

/** A value with all texts cut to the general limit; the value itself if none is longer. */
function shortened<Value>(value: Value): Value {
  if (!hasLongText(value)) return value
  if (typeof value === 'string') return start(value, maxCharacters) as Value
  if (Array.isArray(value)) return value.map(shortened) as Value
  const members = Object.entries(value as object).map(([name, member]) => [name, shortened(member)])
  return Object.fromEntries(members) as Value
}

/** The labels that are too long individually. */
function* longLabels({ labels }: NeutralCard): Generator<CutField> {
  const long = labels.filter(label => label.length > maxLabelLength)
  if (long.length === 0) return
  const cut = new Set(labels.map(label => start(label, maxLabelLength)))
  const limited = [...cut].slice(0, maxElements.card!.labels)
  yield { field: 'labels', limited, whole: long, reason: `Labels are cut to ${maxLabelLength} characters.` }
}

/** The first characters of a text, without splitting a surrogate pair. */
export function start(text: string, max: number): string {
  if (text.length <= max) return text
  const cut = text.slice(0, max)
  return cut.isWellFormed() ? cut : text.slice(0, max - 1)
}

/** A text split into parts of limited length, without splitting surrogate pairs. */
export function partsOf(text: string, max: number): string[] {
  const parts: string[] = []
  for (let rest = text; rest !== ''; rest = rest.slice(parts.at(-1)!.length)) parts.push(start(rest, max))
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
