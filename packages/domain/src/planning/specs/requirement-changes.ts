/** The effect of a change of a spec on cards in progress (crew 4.7). */
import type { RequirementChange } from '@specboard/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { sendNews } from '../../kernel/news.ts'
import { excerpt } from '../../lib/excerpt.ts'
import { parseNullable, toJson } from '../../lib/json.ts'
import type { Change } from '../../schema/contents.ts'
import { hot } from '../../schema/hot.ts'
import { type OnBoard, onBoard, sameBoard } from '../../schema/same-board.ts'
import type { CardsTable } from '../../schema/tables.ts'
import { recordOn } from '../history/record-entry.ts'
import { fieldsAgainstLock, sameButFree } from './locked-fields.ts'
import { indexIn } from './references.ts'
import type { SpecRecord } from './store.ts'

/** A change that somebody else made to a card's requirements. */
export type Mark = z.output<typeof RequirementChange>

/** A field of a spec, or one of its items, that changed. */
interface Unit {
  readonly field: string
  /** The id of an item, or a text; null for a field as a whole. */
  readonly item: string | null
}

type Item = Readonly<Record<string, unknown>>

/** Fields about how a spec is validated and shown, which say nothing about a card's requirements. */
const rules = /^(?:skip_|validation_|require_)/

/** Maximum number of changes that a card keeps: the newest ones. */
const maxMarks = 50

/** The number of characters that identify a text. */
const namedBy = 120

/** Lists of texts, and where their entries are referenced. */
const naming: Readonly<Record<string, readonly { readonly list: keyof SpecRecord; readonly member: string }[]>> = {
  functional_requirements: [
    { list: 'business_rules', member: 'linked_requirements' },
    { list: 'api_contracts', member: 'linked_requirements' },
    { list: 'decisions', member: 'linked_requirements' },
  ],
  acceptance_criteria: [{ list: 'test_scenarios', member: 'linked_criteria' }],
}

interface OpenCard extends Pick<CardsTable, 'id' | 'assignee_id' | 'requirement_changes'> {
  holder: string | null
}

const openCards = hot<OnBoard & { now: string }, OpenCard>(
  (_, param) =>
    sql<OpenCard>`select c.id, c.assignee_id, c.requirement_changes, k.agent_id as holder
      from cards c left join claims k on k.card_id = c.id and ${sameBoard('k', 'c')} and k.expires_at > ${param('now')}
      where c.spec_id = ${param('id')} and ${onBoard('c', param('board_id'))} and c.archived = 0 and c.status not in ('done', 'cancelled')`,
)

const mark = hot<{ id: string; marks: string }, never>(
  (_, param) => sql<never>`update cards set requirement_changes = ${param('marks')} where id = ${param('id')}`,
)

/**
 * Marks the open cards that a change of a spec concerns, and notifies their holders and assignees. A change of an item
 * concerns its linked cards, and one of a requirement or criterion the cards linked to items that refer to it; if there
 * are no such cards, it concerns every open card of the spec. Holders are not notified of their own changes.
 */
export async function markConcerned(
  ctx: Context,
  before: SpecRecord,
  after: SpecRecord,
  changes: readonly Change[],
): Promise<void> {
  const covered = new Set(fieldsAgainstLock(changes))
  const units = changes.filter(({ field }) => covered.has(field) && !rules.test(field)).flatMap(unitsOf)
  if (units.length === 0) return
  const cards = (await openCards(ctx.db, { id: before.id, board_id: before.board_id, now: ctx.now() })).filter(
    ({ holder }) => holder !== ctx.caller.id,
  )
  const marked = cards.flatMap(card => {
    const own = units.filter(unit => concerns(unit, card.id, [before, after]))
    return own.length === 0 ? [] : [{ card, own }]
  })
  if (marked.length === 0) return
  for (const { card, own } of marked) await markCard(ctx, after, card, own)
  const details = {
    spec_id: after.id,
    fields: [...new Set(units.map(({ field }) => field))],
    items: units.flatMap(({ field, item }) => (item === null ? [] : [{ field, item }])),
    card_ids: marked.map(({ card }) => card.id),
  }
  await recordOn(ctx, 'spec', after, { activity: { action: 'card_requirement_changed', details } })
}

async function markCard(ctx: Context, spec: SpecRecord, card: OpenCard, units: readonly Unit[]): Promise<void> {
  const fresh: Mark[] = units.map(unit => ({ ...unit, by: ctx.caller.id, at: ctx.now() }))
  const marks = withMarks(parseNullable(card.requirement_changes) ?? [], fresh)
  await mark(ctx.db, { id: card.id, marks: toJson(marks) })
  for (const to of new Set([card.holder, card.assignee_id]))
    if (to !== null)
      await sendNews(ctx, {
        to,
        kind: 'card_changed',
        source: card.id,
        entity: { type: 'card', id: card.id, board_id: spec.board_id },
        data: { changes: fresh, of: { entity_type: 'spec', entity_id: spec.id, rev: spec.rev } },
      })
}

/** Marks combined with new ones; each place is listed once, with its newest change. */
export function withMarks(before: readonly Mark[], fresh: readonly Mark[]): Mark[] {
  const isFresh = (mark: Mark) => fresh.some(({ field, item }) => field === mark.field && item === mark.item)
  return [...before.filter(mark => !isFresh(mark)), ...fresh].slice(-maxMarks)
}

/** What changed in a field: items and texts one by one, any other field as a whole. */
function unitsOf({ field, old, new: now }: Change): Unit[] {
  const [was, is] = [old, now].map(value => (Array.isArray(value) ? (value as readonly unknown[]) : []))
  const entries = [...was!, ...is!]
  if (entries.length === 0) return [{ field, item: null }]
  const names = [...new Set(entries.map(nameOf))]
  return names
    .filter(name => !isSame(field, entryIn(was!, name), entryIn(is!, name)))
    .map(name => ({ field, item: excerpt(name, namedBy) }))
}

const nameOf = (entry: unknown): string =>
  typeof entry === 'object' && entry !== null && 'id' in entry ? String(entry.id) : String(entry)

const entryIn = (entries: readonly unknown[], name: string): unknown => entries.find(entry => nameOf(entry) === name)

/** Whether an entry is unchanged, apart from what the lock leaves open. */
const isSame = (field: string, was: unknown, is: unknown): boolean =>
  was !== undefined && is !== undefined && sameButFree(field, was, is)

/** Whether a change concerns a card, by the links of the spec before and after it. */
function concerns({ field, item }: Unit, cardId: string, specs: readonly SpecRecord[]): boolean {
  const linked = new Set(item === null ? [] : specs.flatMap(spec => cardsOf(spec, field, item)))
  return linked.size === 0 || linked.has(cardId)
}

/** The cards that are linked to an item, or to items that refer to a text. */
function cardsOf(spec: SpecRecord, field: string, item: string): string[] {
  const owners = naming[field]
  if (owners === undefined) return linksOf(itemsIn(spec, field as keyof SpecRecord).filter(one => one.id === item))
  const texts = itemsIn(spec, field as keyof SpecRecord).map(String)
  const names = (reference: string) => excerpt(texts[indexIn(texts, reference) ?? -1] ?? reference, namedBy) === item
  return owners.flatMap(({ list, member }) =>
    linksOf(itemsIn(spec, list).filter(one => ((one[member] ?? []) as readonly string[]).some(names))),
  )
}

const itemsIn = (spec: SpecRecord, list: keyof SpecRecord): readonly Item[] => (spec[list] ?? []) as readonly Item[]

const linksOf = (items: readonly Item[]): string[] =>
  items.flatMap(({ linked_task_ids }) => (linked_task_ids ?? []) as readonly string[])
