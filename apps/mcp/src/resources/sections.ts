/** Sections that several pages share. */

import type { Move } from '../calls/reader.ts'
import { type Entry, entry } from './entry.ts'
import type { Origin, Page } from './page.ts'
import { code, quoted } from './quoting.ts'

/** A record in one line: reference, title, status. */
export const recordLine = (record: { readonly id: string; readonly title: string; readonly status: string }): string =>
  `- ${code(record.id)} ${quoted(record.title)} (${record.status})`

interface Question {
  readonly id: string
  readonly question: string
  readonly answer: string | null
  readonly selected?: readonly string[] | null
  readonly asked_by: string
  readonly answered_by: string | null
  readonly created_at: string
  readonly answered_at: string | null
}

/** A question with its answer, if it has one. */
export const questionEntry = (item: Question): Entry =>
  entry(
    `- ${code(item.id)} ${item.answered_by === null ? 'open' : 'answered'}`,
    { name: 'Question', text: item.question, by: item.asked_by, at: item.created_at },
    {
      name: 'Answer',
      text: item.answer ?? item.selected?.join(', '),
      by: item.answered_by,
      at: item.answered_at,
    },
  )

/** Adds the questions, open ones first. */
export function questions(page: Page, items: readonly Question[], rest: string): void {
  const open = items.filter(item => item.answered_by === null)
  const answered = items.filter(item => item.answered_by !== null)
  page.section('Open questions', open.map(questionEntry), rest)
  page.section('Answered questions', answered.map(questionEntry), rest)
}

/** Maximum characters of a blocker: a message of the service, which may contain titles. */
const reasonLimit = 600

/** What a caller must know about a move in addition to its target. */
function moveState({ state, permission, blockers, asks }: Move): string {
  if (state === 'forbidden') return `: needs ${permission}`
  const closed = blockers.map(({ error, message }) => `${error}: ${quoted(message, reasonLimit)}`)
  const blocked = closed.length === 0 ? '' : `: blocked by ${closed.join('; ')}`
  return asks.length === 0 ? blocked : `${blocked}${blocked === '' ? ': ' : '; '}asks for ${asks.join(', ')}`
}

/** Adds the moves, and everything that blocks each of them. */
export function moves(page: Page, all: readonly Move[]): void {
  page.section(
    'Allowed moves',
    all.map(move => `- ${move.to}${moveState(move)}`),
    'get_allowed_moves',
  )
}

interface Design {
  readonly id: string
  readonly title: string
  readonly version: number
  readonly stale: boolean
}

/** Adds the architecture designs by title. */
export function designs(page: Page, all: readonly Design[], rest: string): void {
  page.section(
    'Architecture designs',
    all.map(({ id, title, version, stale }) => `- ${code(id)} ${quoted(title)} (v${version}${stale ? ', stale' : ''})`),
    rest,
  )
}

interface Knowledge {
  readonly id: string
  readonly title: string
  readonly description: string | null
  readonly created_at: string
}

/** Adds the knowledge items by title. */
export function knowledge(page: Page, all: readonly Knowledge[], rest: string): void {
  page.section(
    'Knowledge',
    all.map(({ id, title, description, created_at }) =>
      entry(`- ${code(id)} ${quoted(title)}`, { name: 'Description', text: description, by: null, at: created_at }),
    ),
    rest,
  )
}

/** Adds the mockups by title. */
export function mockups(
  page: Page,
  all: readonly { readonly id: string; readonly title: string }[] | null,
  rest: string,
): void {
  page.section(
    'Mockups',
    (all ?? []).map(({ id, title }) => `- ${code(id)} ${quoted(title)}`),
    rest,
  )
}

/** Texts as entries, numbered from 0 like references. */
export const numbered = (texts: readonly string[] | null, origin: Origin): Entry[] =>
  (texts ?? []).map((text, index) => entry(`- [${index}]`, { name: 'Text', text, ...origin }))
