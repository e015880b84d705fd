import { dialect, foldedText, needsFolding, type Param } from '@specboard/storage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Caller } from '../../../kernel/context.ts'
import { parseNullable } from '../../../lib/json.ts'
import { sameBoard } from '../../../schema/same-board.ts'
import type { CardsTable } from '../../../schema/tables.ts'

/** The filters that lists of cards share, as sent (cards 16). */
export interface CardQuery {
  readonly card_type?: string | undefined
  readonly spec_id?: string | undefined
  readonly sprint_id?: string | undefined
  readonly assignee_id?: string | undefined
  readonly label?: readonly string[] | undefined
}

/** The SQL parameters of the filters; null for a filter that was not sent. */
export interface CardFilter {
  card_type: string | null
  spec: string | null
  sprint: string | null
  /** A JSON array of the names that the assignee may have. */
  assignees: string | null
  /** 1 for unassigned cards. */
  unassigned: 0 | 1
  /** The agent whose claimed cards match too; null for none. */
  holder: string | null
  /** The time at which claims must be active. */
  now: string
  /** A JSON array of the folded labels that a card must have. */
  labels: string
  /** Whether the labels of cards must be folded to find them. */
  foreign_labels: 0 | 1
}

/** The caller that asks for cards, and the time. */
export interface CardsRequester {
  readonly caller: Pick<Caller, 'id' | 'name'>
  now(): string
}

/**
 * The SQL parameters of a filter by assignee: `me` is the caller by id or name, including cards it has claimed; `none`
 * is nobody.
 */
export const assigneeOf = (
  assignee: string | undefined,
  ctx: CardsRequester,
): Pick<CardFilter, 'assignees' | 'unassigned' | 'holder' | 'now'> => ({
  assignees:
    assignee === undefined || assignee === 'none'
      ? null
      : JSON.stringify(assignee === 'me' ? [ctx.caller.id, ctx.caller.name] : [assignee]),
  unassigned: assignee === 'none' ? 1 : 0,
  holder: assignee === 'me' ? ctx.caller.id : null,
  now: ctx.now(),
})

/** The condition for cards on which the agent of a filter has an active claim. */
export const isHeld = (param: Param<Pick<CardFilter, 'holder' | 'now'>>, card: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select 1 from claims held where held.card_id = ${sql.ref(card)}
    and held.agent_id = ${param('holder')} and held.expires_at > ${param('now')})`

/** The SQL parameters of a filter by labels, which match in any case and normal form. */
export const labelsOf = (labels: readonly string[] = []): Pick<CardFilter, 'labels' | 'foreign_labels'> => {
  const folded = labels.map(foldedText)
  return { labels: JSON.stringify(folded), foreign_labels: needsFolding(folded) ? 1 : 0 }
}

/** The condition for records whose column of labels contains all wanted ones. */
export const hasLabels = (
  param: Param<Pick<CardFilter, 'labels' | 'foreign_labels'>>,
  column: string,
): RawBuilder<SqlBool> =>
  sql<SqlBool>`not exists (
      select 1 from ${dialect.jsonElements(sql`${param('labels')}`)} as wanted
      where wanted.value not in (select ${dialect.foldedIf(param('foreign_labels'), sql.ref('own.value'))}
        from ${dialect.jsonElements(sql.ref(column))} as own))`

/** The SQL parameters of filters. */
export const filterOf = (query: CardQuery, ctx: CardsRequester): CardFilter => ({
  card_type: query.card_type ?? null,
  spec: query.spec_id ?? null,
  sprint: query.sprint_id ?? null,
  ...assigneeOf(query.assignee_id, ctx),
  ...labelsOf(query.label),
})

/** A condition that does not apply when its parameter is absent. */
const unlessNull = (value: RawBuilder<unknown>, condition: RawBuilder<unknown>) =>
  sql<SqlBool>`(${value} is null or ${condition})`

const equals = (column: string, value: string | null) => unlessNull(sql`${value}`, sql`${sql.ref(column)} = ${value}`)

/** The condition for the cards `c` that the filters select. */
export const matchesFilter = (param: Param<CardFilter>): RawBuilder<SqlBool> =>
  sql<SqlBool>`${equals('c.card_type', param('card_type'))}
    and ${equals('c.spec_id', param('spec'))}
    and ${equals('c.sprint_id', param('sprint'))}
    and (${param('assignees')} is null
      or ${dialect.inList(sql.ref('c.assignee_id'), sql<string>`${param('assignees')}`)}
      or (${param('holder')} is not null and ${isHeld(param, 'c.id')}))
    and (${param('unassigned')} = 0 or c.assignee_id is null)
    and (${param('labels')} = '[]' or ${hasLabels(param, 'c.labels')})`

/** The fields of a card that the filters use. */
export type FilterColumns = Pick<CardsTable, 'id' | 'card_type' | 'spec_id' | 'sprint_id' | 'assignee_id' | 'labels'>

/** The caller of a filter in memory, with the cards on which it has active claims. */
interface Holder extends Pick<Caller, 'id' | 'name'> {
  readonly claimed: ReadonlySet<string>
}

/** The test whether the filters select a card in memory, like `matchesFilter` in SQL; undefined if they select all. */
export function filterTest(
  { card_type, spec_id, sprint_id, assignee_id, label = [] }: CardQuery,
  caller: Holder,
): ((card: FilterColumns) => boolean) | undefined {
  const tests: ((card: FilterColumns) => boolean)[] = []
  if (card_type !== undefined) tests.push(card => card.card_type === card_type)
  if (spec_id !== undefined) tests.push(card => card.spec_id === spec_id)
  if (sprint_id !== undefined) tests.push(card => card.sprint_id === sprint_id)
  if (assignee_id !== undefined) tests.push(assigneeTest(assignee_id, caller))
  if (label.length > 0) tests.push(labelTest(label))
  return tests.length === 0 ? undefined : card => tests.every(test => test(card))
}

function assigneeTest(assignee: string, { id, name, claimed }: Holder): (card: FilterColumns) => boolean {
  if (assignee === 'none') return card => card.assignee_id === null
  if (assignee === 'me') return card => card.assignee_id === id || card.assignee_id === name || claimed.has(card.id)
  return card => card.assignee_id === assignee
}

/** Parses each text of labels once: many cards have the same text. */
function labelTest(required: readonly string[]): (card: FilterColumns) => boolean {
  const folded = required.map(foldedText)
  const cache = new Map<FilterColumns['labels'], boolean>()
  return ({ labels }) => {
    let isMatch = cache.get(labels)
    if (isMatch === undefined) {
      const own = (parseNullable(labels) ?? []).map(foldedText)
      isMatch = folded.every(label => own.includes(label))
      cache.set(labels, isMatch)
    }
    return isMatch
  }
}

/** The condition for a card that is neither archived nor finished: its dependents wait for it. */
export const isOpen = (card: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(`${card}.archived`)} = 0 and ${sql.ref(`${card}.status`)} not in ('done', 'cancelled'))`

/**
 * The open cards that a card `c` waits for, as a from clause. A cross join keeps SQLite to this order; with the board, it
 * finds them in the index of open cards and reads no card.
 */
export const awaitedByCard: RawBuilder<unknown> = sql`from card_dependencies d cross join cards awaited
  where d.card_id = c.id and ${sameBoard('d', 'c')} and awaited.board_id = c.board_id and awaited.id = d.depends_on_id and ${isOpen('awaited')}`

/** The condition for cards `c` that wait for an open card: their gate `dependencies` is closed (cards 4.3). */
export const waits: RawBuilder<SqlBool> = sql<SqlBool>`exists (select 1 ${awaitedByCard})`
