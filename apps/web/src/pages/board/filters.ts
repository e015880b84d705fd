import type { CardPriority, CardSummary } from '../../data/cards.ts'

/** What a board can be filtered by; the address holds it. */
export interface Filters {
  readonly q: string
  readonly spec: string
  readonly sprint: string
  readonly assignee: string
  readonly label: string
  readonly type: string
  readonly priority: string
  readonly ready: boolean
  readonly blocked: boolean
  readonly mine: boolean
  readonly questions: boolean
}

const words = ['q', 'spec', 'sprint', 'assignee', 'label', 'type', 'priority'] as const
export const marks = ['ready', 'blocked', 'mine', 'questions'] as const

/** In the address, `none` asks for cards without a spec, sprint or assignee. */
export const none = 'none'

export function readFilters(query: URLSearchParams): Filters {
  const text = Object.fromEntries(words.map(name => [name, query.get(name) ?? '']))
  const flags = Object.fromEntries(marks.map(name => [name, query.get(name) === '1']))
  return { ...text, ...flags } as Record<(typeof words)[number], string> & Record<(typeof marks)[number], boolean>
}

/** The address with a filter changed; what is not filtered by is not in it. */
export function withFilter(query: URLSearchParams, name: keyof Filters, value: string | boolean): URLSearchParams {
  const next = new URLSearchParams(query)
  if (value === '' || value === false) next.delete(name)
  else next.set(name, value === true ? '1' : value)
  return next
}

export function withoutFilters(query: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(query)
  for (const name of [...words, ...marks]) next.delete(name)
  return next
}

/** What of the address filters; the words stand beside it, where they are typed. */
export const withoutOthers = (query: URLSearchParams): URLSearchParams =>
  new URLSearchParams(
    [...words, ...marks].flatMap(name => (name === 'q' || !query.has(name) ? [] : [[name, query.get(name)!]])),
  )

export const isFiltered = (filters: Filters): boolean =>
  words.some(name => filters[name] !== '') || marks.some(name => filters[name])

const fits = (wanted: string, value: string | null): boolean =>
  wanted === '' || (wanted === none ? value === null : value === wanted)

/** A test of cards for some filters; made once, asked for each card. */
export function matcherOf(filters: Filters, me: string): (card: CardSummary) => boolean {
  const sought = filters.q
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
  return card =>
    fits(filters.spec, card.spec_ref) &&
    fits(filters.sprint, card.sprint_id) &&
    fits(filters.assignee, card.assignee_id) &&
    (filters.label === '' || card.labels.includes(filters.label)) &&
    (filters.type === '' || card.card_type === filters.type) &&
    (filters.priority === '' || card.priority === (filters.priority as CardPriority)) &&
    (!filters.ready || card.ready) &&
    (!filters.blocked || card.blocked_by > 0) &&
    (!filters.mine || card.assignee_id === me || card.claim?.agent_id === me) &&
    (!filters.questions || card.open_questions > 0) &&
    (sought.length === 0 || matchesWords(card, sought))
}

/** The words of each card that was looked at, in small letters; a card that changes is another object. */
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
