/**
 * The two-way rule (specs 8): a card id stands in a scenario's `linked_task_ids` if and only if the
 * scenario's id stands in the card's `test_scenario_ids`. Every route that makes or breaks such a pair comes
 * through here, but a PATCH of the lists themselves (update.ts). The functions write both sides in the
 * caller's unit of work, record nothing and ask no rule: lock (`refuseLocked`), limit (`checkScenarioLimit`)
 * and references are the caller's to ask before.
 */
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { updateRow } from '../../schema/rows.ts'
import type { CardsTable } from '../../schema/tables.ts'
import { type ChangedLists, inherited, linkedTo, scenariosOf, unlinkedFrom, withoutCard } from './link-rules.ts'
import { columnsOf, readSpec } from './store.ts'

/** A card as its links are judged. */
export interface CardLink {
  readonly id: string
  readonly board_id: string
  readonly spec_id: string | null
  readonly archived: boolean
  readonly test_scenario_ids: readonly string[]
}

type CardLinkRow = Pick<CardsTable, 'id' | 'board_id' | 'spec_id' | 'archived' | 'test_scenario_ids'>

const columns = ['id', 'board_id', 'spec_id', 'archived', 'test_scenario_ids'] as const

const linkById = hot<{ id: string }, CardLinkRow>((db, param) =>
  db.selectFrom('cards').select(columns).where('id', '=', param('id')),
)

const linksOfSpec = hot<{ spec: string }, CardLinkRow>((db, param) =>
  db.selectFrom('cards').select(columns).where('spec_id', '=', param('spec')).orderBy('created_at').orderBy('id'),
)

const linkOf = (row: CardLinkRow): CardLink => ({
  ...row,
  archived: row.archived === 1,
  test_scenario_ids: parseJson(row.test_scenario_ids),
})

/**
 * The links of a card.
 * @throws DomainError NOT_FOUND
 */
export async function cardLinkOf(db: Db, cardId: string): Promise<CardLink> {
  const [row] = await linkById(db, { id: cardId })
  if (row === undefined) throw notFound('card', cardId)
  return linkOf(row)
}

/** The links of all cards of a spec, archived ones too, oldest first. */
export const cardLinksOf = async (db: Db, specId: string): Promise<CardLink[]> =>
  (await linksOfSpec(db, { spec: specId })).map(linkOf)

/** Changes where a card stands, and its `updated_at`. */
export const writeLinks = (
  ctx: Context,
  cardId: string,
  { test_scenario_ids, ...ids }: { spec_id?: string | null; sprint_id?: null; test_scenario_ids?: readonly string[] },
): Promise<void> =>
  updateRow(ctx.db, 'cards', cardId, {
    ...ids,
    ...(test_scenario_ids !== undefined && { test_scenario_ids: toJson(test_scenario_ids) }),
    updated_at: ctx.now(),
  })

const store = (ctx: Context, specId: string, lists: ChangedLists, touched: boolean): Promise<void> =>
  Object.keys(lists).length === 0
    ? Promise.resolve()
    : updateRow(ctx.db, 'specs', specId, { ...columnsOf(lists), ...(touched && { updated_at: ctx.now() }) })

/**
 * Links a card of the spec and scenarios of the spec, on both sides; a new id goes to the end of either
 * array. Pairs that exist stay as they are; an id that is no scenario of the spec is left alone.
 * @returns the card's `test_scenario_ids` after it
 */
export async function linkScenarios(
  ctx: Context,
  specId: string,
  cardId: string,
  ids: readonly string[],
): Promise<string[]> {
  const spec = await readSpec(ctx.db, specId)
  const known = ids.filter(id => spec.test_scenarios?.some(scenario => scenario.id === id))
  const before = (await cardLinkOf(ctx.db, cardId)).test_scenario_ids
  const after = [...new Set([...before, ...known])]
  await store(ctx, specId, linkedTo(spec, cardId, known), true)
  if (after.length > before.length) await writeLinks(ctx, cardId, { test_scenario_ids: after })
  return after
}

/**
 * Takes a card off scenarios of its spec, on both sides.
 * @returns the card's `test_scenario_ids` after it
 */
export async function unlinkScenarios(
  ctx: Context,
  specId: string,
  cardId: string,
  ids: readonly string[],
): Promise<string[]> {
  const spec = await readSpec(ctx.db, specId)
  const before = (await cardLinkOf(ctx.db, cardId)).test_scenario_ids
  const after = before.filter(id => !ids.includes(id))
  await store(ctx, specId, unlinkedFrom(spec, cardId, ids), true)
  if (after.length < before.length) await writeLinks(ctx, cardId, { test_scenario_ids: after })
  return after
}

/**
 * Gives a card these scenarios of its spec in place of those it has, on both sides; its own array becomes
 * `ids`, in that order, repeats dropped.
 */
export async function replaceScenarios(
  ctx: Context,
  specId: string,
  cardId: string,
  ids: readonly string[],
): Promise<string[]> {
  const after = [...new Set(ids)]
  const spec = await readSpec(ctx.db, specId)
  const left = scenariosOf(spec, cardId).filter(id => !after.includes(id))
  const withoutLeft = { ...spec, ...unlinkedFrom(spec, cardId, left) }
  const lists = { ...unlinkedFrom(spec, cardId, left), ...linkedTo(withoutLeft, cardId, after) }
  await store(ctx, specId, lists, true)
  await writeLinks(ctx, cardId, { test_scenario_ids: after })
  return after
}

/**
 * Takes a card's id out of every `linked_task_ids` of a spec and leaves the card's row alone: for a card
 * that is deleted. The spec's version and `updated_at` stay.
 */
export async function removeFromItems(ctx: Context, specId: string, cardId: string): Promise<void> {
  await store(ctx, specId, withoutCard(await readSpec(ctx.db, specId), cardId), false)
}

/**
 * Takes a card off its spec: its id leaves every `linked_task_ids` of the spec, its `spec_id` and
 * `sprint_id` become null and its `test_scenario_ids` `[]`. The spec's version and `updated_at` stay.
 */
export async function removeCardFromSpec(ctx: Context, specId: string, cardId: string): Promise<void> {
  await removeFromItems(ctx, specId, cardId)
  await writeLinks(ctx, cardId, { spec_id: null, sprint_id: null, test_scenario_ids: [] })
}

/**
 * Lets a new bug stand wherever its origin stands: in every scenario, rule, contract, decision and technical
 * requirement of the spec that lists the origin; the ids of those scenarios go to the end of the bug's
 * `test_scenario_ids` (cards 7.1). Allowed while locked, and beyond the limit of scenarios.
 * @returns the bug's `test_scenario_ids` after it
 */
export async function inheritLinks(ctx: Context, specId: string, originId: string, bugId: string): Promise<string[]> {
  const spec = await readSpec(ctx.db, specId)
  await store(ctx, specId, inherited(spec, originId, bugId), true)
  const before = (await cardLinkOf(ctx.db, bugId)).test_scenario_ids
  const after = [...new Set([...before, ...scenariosOf(spec, originId)])]
  if (after.length > before.length) await writeLinks(ctx, bugId, { test_scenario_ids: after })
  return after
}
