import { dayHere } from '../../components/typed-day.ts'
import type { CardSummary } from '../../data/cards.ts'
import { isInSpan, spanOf } from './day-span.ts'

/** The properties of cards that can be filtered by, each with values to choose from. */
export const choiceFields = [
  'spec',
  'sprint',
  'assignee',
  'label',
  'type',
  'priority',
  'due',
  'created',
  'updated',
] as const
export type ChoiceField = (typeof choiceFields)[number]

/** The properties that are days, which can also be chosen in a calendar. */
export const isDateField = (field: ChoiceField): boolean =>
  field === 'due' || field === 'created' || field === 'updated'

/** The yes-or-no properties of a card. */
export const marks = ['ready', 'blocked', 'mine', 'questions', 'change', 'failing'] as const
export type MarkField = (typeof marks)[number]

/** In the address, `none` stands for cards without a spec, sprint, assignee or date. */
export const none = 'none'

/**
 * The choices for when a card is due, and for how long ago it was created or last changed; spans of days (day-span.ts)
 * can be used as well.
 */
export const dueChoices = ['overdue', 'week', 'month', none] as const
export const sinceChoices = ['day', 'week', 'month'] as const

/** Cards with one of several values, or with none of them. */
export interface Choice {
  readonly field: ChoiceField
  readonly isNot: boolean
  readonly values: readonly string[]
}

export interface MarkChoice {
  readonly field: MarkField
  readonly isNot: boolean
}

/** The filters of a board, kept in the address. A card has to pass each of them. */
export interface Filters {
  readonly q: string
  readonly choices: readonly Choice[]
  readonly marks: readonly MarkChoice[]
}

/** The name of a choice in the address: `label`, or `label.not`. */
const nameOf = ({ field, isNot }: Pick<Choice, 'field' | 'isNot'>): string => (isNot ? `${field}.not` : field)

const names = ['q', ...choiceFields.flatMap(field => [field, `${field}.not`]), ...marks]

export function readFilters(query: URLSearchParams): Filters {
  const choices = choiceFields.flatMap(field =>
    [false, true].flatMap(isNot => {
      const values = query.getAll(nameOf({ field, isNot })).filter(value => value !== '')
      return values.length === 0 ? [] : [{ field, isNot, values }]
    }),
  )
  const chosen = marks.flatMap(field => {
    const value = query.get(field)
    return value === '1' || value === '0' ? [{ field, isNot: value === '0' }] : []
  })
  return { q: query.get('q') ?? '', choices, marks: chosen }
}

export function withWords(query: URLSearchParams, words: string): URLSearchParams {
  const next = new URLSearchParams(query)
  if (words === '') next.delete('q')
  else next.set('q', words)
  return next
}

/** The address with other values of a choice; one without values is removed. */
export function withChoice(query: URLSearchParams, { values, ...choice }: Choice): URLSearchParams {
  const next = new URLSearchParams(query)
  next.delete(nameOf(choice))
  for (const value of values) next.append(nameOf(choice), value)
  return next
}

/** The address with a choice inverted: cards with its values become cards without them. */
export function withInverted(query: URLSearchParams, choice: Choice): URLSearchParams {
  const turned = { ...choice, isNot: !choice.isNot }
  const there = query.getAll(nameOf(turned))
  const without = withChoice(query, { ...choice, values: [] })
  return withChoice(without, { ...turned, values: [...new Set([...there, ...choice.values])] })
}

/** The address with a mark: true for cards that have it, false for those that do not, undefined for all. */
export function withMark(query: URLSearchParams, field: MarkField, has: boolean | undefined): URLSearchParams {
  const next = new URLSearchParams(query)
  if (has === undefined) next.delete(field)
  else next.set(field, has ? '1' : '0')
  return next
}

export function withoutFilters(query: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(query)
  for (const name of names) next.delete(name)
  return next
}

/** The filters in the address; the search text is kept separately, where it is typed. */
export const withoutOthers = (query: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...query].filter(([name]) => name !== 'q' && names.includes(name)))

export const isFiltered = ({ q, choices, marks: chosen }: Filters): boolean =>
  q !== '' || choices.length > 0 || chosen.length > 0

const dayMs = 86_400_000

const days: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30 }

const is = (filter: string, value: string | null): boolean => (filter === none ? value === null : value === filter)

function isDue(filter: string, { due_date, status }: CardSummary, now: number): boolean {
  const span = spanOf(filter)
  if (span !== undefined) return due_date !== null && isInSpan(span, due_date.slice(0, 10))
  if (due_date === null || filter === none) return due_date === null && filter === none
  const remaining = Date.parse(due_date) - now
  const isOpen = status !== 'done' && status !== 'cancelled'
  return filter === 'overdue' ? remaining < 0 && isOpen : remaining >= 0 && remaining < (days[filter] ?? 0) * dayMs
}

/** Whether something happened in a span of days in the person's time zone, or within the last days. */
function wasIn(filter: string, at: string, now: number): boolean {
  const span = spanOf(filter)
  return span === undefined ? now - Date.parse(at) < (days[filter] ?? 0) * dayMs : isInSpan(span, dayHere(new Date(at)))
}

const has: Readonly<Record<ChoiceField, (card: CardSummary, value: string, now: number) => boolean>> = {
  spec: (card, value) => is(value, card.spec_ref),
  sprint: (card, value) => is(value, card.sprint_id),
  assignee: (card, value) => is(value, card.assignee_id),
  label: (card, value) => card.labels.includes(value),
  type: (card, value) => card.card_type === value,
  priority: (card, value) => card.priority === value,
  due: (card, value, now) => isDue(value, card, now),
  created: (card, value, now) => wasIn(value, card.created_at, now),
  updated: (card, value, now) => wasIn(value, card.updated_at, now),
}

const carries: Readonly<Record<MarkField, (card: CardSummary, me: string) => boolean>> = {
  ready: card => card.ready,
  blocked: card => card.blocked_by > 0,
  mine: (card, me) => card.assignee_id === me || card.claim?.agent_id === me,
  questions: card => card.open_questions > 0,
  change: card => card.change_state === 'open' || card.change_state === 'draft',
  failing: card => card.checks_state === 'failing',
}

/** A predicate for some filters; created once, called for each card. */
export function matcherOf({ q, choices, marks: chosen }: Filters, me: string, now: number) {
  const sought = q
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
  return (card: CardSummary): boolean =>
    choices.every(({ field, isNot, values }) => values.some(value => has[field](card, value, now)) !== isNot) &&
    chosen.every(({ field, isNot }) => carries[field](card, me) !== isNot) &&
    (sought.length === 0 || matchesWords(card, sought))
}

/** The lower-case text of each card that was checked; a changed card is another object. */
const texts = new WeakMap<CardSummary, string>()

function textOf(card: CardSummary): string {
  let text = texts.get(card)
  if (text === undefined) {
    text = `${card.ref} ${card.title} ${card.labels.join(' ')}`.toLowerCase()
    texts.set(card, text)
  }
  return text
}

function matchesWords(card: CardSummary, sought: readonly string[]): boolean {
  const text = textOf(card)
  return sought.every(word => text.includes(word))
}
