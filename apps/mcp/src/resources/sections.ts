/** Sections that several pages share. */
import { code, oneLine, type Page } from './page.ts'
import type { Move } from './reader.ts'

/** A record in a line: id, title, status. */
export const recordLine = (record: { readonly id: string; readonly title: string; readonly status: string }): string =>
  `- ${code(record.id)} ${oneLine(record.title)} (${record.status})`

interface Question {
  readonly id: string
  readonly question: string
  readonly answer: string | null
  readonly selected?: readonly string[] | null
  readonly answered_by: string | null
}

/** Adds the questions, open ones first. */
export function questions(page: Page, items: readonly Question[], rest: string): void {
  const open = items.filter(item => item.answered_by === null)
  const answered = items.filter(item => item.answered_by !== null)
  page.section(
    'Open questions',
    open.map(item => `- ${code(item.id)} ${oneLine(item.question)}`),
    rest,
  )
  page.section(
    'Answered questions',
    answered.map(item => `- ${oneLine(item.question)} -> ${oneLine(item.answer ?? item.selected?.join(', ') ?? '')}`),
    rest,
  )
}

/** Adds the moves and what blocks them. */
export function moves(page: Page, all: readonly Move[], rest: string): void {
  page.section(
    'Allowed moves',
    all.map(({ to, blockedBy }) => (blockedBy === undefined ? `- ${to}` : `- ${to}: blocked by ${oneLine(blockedBy)}`)),
    rest,
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
    all.map(
      ({ id, title, version, stale }) => `- ${code(id)} ${oneLine(title)} (v${version}${stale ? ', stale' : ''})`,
    ),
    rest,
  )
}

interface Knowledge {
  readonly id: string
  readonly title: string
  readonly description: string | null
}

/** Adds the knowledge items by title. */
export function knowledge(page: Page, all: readonly Knowledge[], rest: string): void {
  page.section(
    'Knowledge',
    all.map(
      ({ id, title, description }) =>
        `- ${code(id)} ${oneLine(title)}${description === null ? '' : `: ${oneLine(description)}`}`,
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
    (all ?? []).map(({ id, title }) => `- ${code(id)} ${oneLine(title)}`),
    rest,
  )
}

/** Texts as lines, numbered from 0 as references count them. */
export const numbered = (texts: readonly string[] | null): string[] =>
  (texts ?? []).map((text, index) => `- [${index}] ${oneLine(text)}`)
