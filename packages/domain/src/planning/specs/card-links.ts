/**
 * The two-way rule (specs 8): a card's id is in a scenario's `linked_task_ids` if and only if the scenario's id is in
 * the card's `test_scenario_ids`. All code that makes or breaks such a pair calls these functions, except a PATCH of
 * the lists themselves (update.ts). They write both sides in the caller's unit of work. They record no entries and
 * check no rules: the caller checks the lock (`refuseLocked`), the limit (`checkScenarioLimit`) and references first.
 */
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { updateRow } from '../../schema/rows.ts'
import { type OnBoard, onBoard } from '../../schema/same-board.ts'
import type { CardsTable } from '../../schema/tables.ts'
import { type ChangedLists, inherited, linkedTo, scenariosOf, unlinkedFrom, withoutCard } from './link-rules.ts'
import { sinceValidated } from './locked-fields.ts'
import { columnsOf, readSpec, type SpecRecord } from './store.ts'

/** The fields of a card that its links depend on. */
export interface CardLink {
  readonly id: string
  readonly board_id: string
  readonly spec_id: string | null
  readonly archived: boolean
  readonly test_scenario_ids: readonly string[]
}

/** Whether a link was made or broken. */
export type LinkEvent = 'linked' | 'unlinked'

type CardLinkRow = Pick<CardsTable, 'id' | 'board_id' | 'spec_id' | 'archived' | 'test_scenario_ids'>

const columns = ['id', 'board_id', 'spec_id', 'archived', 'test_scenario_ids'] as const

const linkById = hot<{ id: string }, CardLinkRow>((db, param) =>
  db.selectFrom('cards').select(columns).where('id', '=', param('id')),
)

const linksOfSpec = hot<OnBoard, CardLinkRow>((db, param) =>
  db
    .selectFrom('cards')
    .select(columns)
    .where('spec_id', '=', param('id'))
    .where(onBoard('cards', param('board_id')))
    .orderBy('created_at')
    .orderBy('id'),
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

/** The links of all cards of a spec, including archived ones, oldest first. */
export const cardLinksOf = async (db: Db, spec: OnBoard): Promise<CardLink[]> =>
  (await linksOfSpec(db, spec)).map(linkOf)

/** Changes the links of a card and sets its `updated_at`. */
export const writeLinks = (
  ctx: Context,
  cardId: string,
  {
    test_scenario_ids,
    ...ids
  }: { spec_id?: string | null; sprint_id?: null; test_scenario_ids?: readonly string[]; rev?: number },
): Promise<void> =>
  updateRow(ctx.db, 'cards', cardId, {
    ...ids,
    ...(test_scenario_ids !== undefined && { test_scenario_ids: toJson(test_scenario_ids) }),
    updated_at: ctx.now(),
  })

const store = (
  ctx: Context,
  specId: string,
  lists: ChangedLists & Partial<Pick<SpecRecord, 'changed_since_validated'>>,
  touched: boolean,
): Promise<void> =>
  Object.keys(lists).length === 0
    ? Promise.resolve()
    : updateRow(ctx.db, 'specs', specId, { ...columnsOf(lists), ...(touched && { updated_at: ctx.now() }) })

/**
 * Changed lists, with their names added to the spec's changes since validation: the lock covers broken links (specs
 * 5.2).
 */
const broken = (spec: SpecRecord, lists: ChangedLists) =>
  Object.keys(lists).length === 0
    ? lists
    : { ...lists, changed_since_validated: sinceValidated(spec, Object.keys(lists)) }

/**
 * Links a card of the spec to scenarios of the spec, on both sides. New ids go to the end of either array; existing
 * pairs stay, and ids that are not scenarios of the spec are ignored.
 *
 * @example
 * // The caller checks the limit first.
 * checkScenarioLimit(card.id, card.test_scenario_ids, [...card.test_scenario_ids, ...ids], limit)
 * const test_scenario_ids = await linkScenarios(ctx, spec.id, card.id, ids)
 * @returns the card's `test_scenario_ids` afterwards
 */
export async function linkScenarios(
  ctx: Context,
  specId: string,
  cardId: string,
  ids: readonly string[],
): Promise<string[]> {
  const spec = await readSpec(ctx.db, specId)
  const scenarios = new Set(spec.test_scenarios?.map(scenario => scenario.id))
  const existing = ids.filter(id => scenarios.has(id))
  const before = (await cardLinkOf(ctx.db, cardId)).test_scenario_ids
  const after = [...new Set([...before, ...existing])]
  await store(ctx, specId, linkedTo(spec, cardId, existing), true)
  if (after.length > before.length) await writeLinks(ctx, cardId, { test_scenario_ids: after })
  return after
}

/**
 * Unlinks a card from scenarios of its spec, on both sides.
 * @returns the card's `test_scenario_ids` afterwards
 */
export async function unlinkScenarios(
  ctx: Context,
  specId: string,
  cardId: string,
  ids: readonly string[],
): Promise<string[]> {
  const spec = await readSpec(ctx.db, specId)
  const before = (await cardLinkOf(ctx.db, cardId)).test_scenario_ids
  const removals = new Set(ids)
  const after = before.filter(id => !removals.has(id))
  await store(ctx, specId, broken(spec, unlinkedFrom(spec, cardId, ids)), true)
  if (after.length < before.length) await writeLinks(ctx, cardId, { test_scenario_ids: after })
  return after
}

/** Writes a change of the links of items other than scenarios; cards do not store such links (specs 8). */
export const storeItemLinks = (ctx: Context, spec: SpecRecord, event: LinkEvent, lists: ChangedLists): Promise<void> =>
  store(ctx, spec.id, event === 'linked' ? lists : broken(spec, lists), true)

/**
 * Replaces the scenarios of a card by others of its spec, on both sides; the card's array becomes `ids`, in that order,
 * without repeats.
 */
export async function replaceScenarios(
  ctx: Context,
  specId: string,
  cardId: string,
  ids: readonly string[],
): Promise<string[]> {
  const selection = new Set(ids)
  const after = [...selection]
  const spec = await readSpec(ctx.db, specId)
  const obsolete = scenariosOf(spec, cardId).filter(id => !selection.has(id))
  const unlinked = broken(spec, unlinkedFrom(spec, cardId, obsolete))
  const lists = { ...unlinked, ...linkedTo({ ...spec, ...unlinked }, cardId, after) }
  await store(ctx, specId, lists, true)
  await writeLinks(ctx, cardId, { test_scenario_ids: after })
  return after
}

/**
 * Removes the id of a deleted card from every `linked_task_ids` of a spec, and does not write the card's row. The
 * spec's version and `updated_at` stay.
 */
export async function removeFromItems(ctx: Context, specId: string, cardId: string): Promise<void> {
  await store(ctx, specId, withoutCard(await readSpec(ctx.db, specId), cardId), false)
}

/**
 * Removes a card from its spec: its id from every `linked_task_ids` of the spec, and its `spec_id`, `sprint_id` and
 * `test_scenario_ids`, which become null, null and `[]`. The spec's version and `updated_at` stay.
 */
export async function removeCardFromSpec(ctx: Context, specId: string, cardId: string): Promise<void> {
  await removeFromItems(ctx, specId, cardId)
  await writeLinks(ctx, cardId, { spec_id: null, sprint_id: null, test_scenario_ids: [] })
}

/**
 * Links a new bug wherever its origin is linked: to every scenario, rule, contract, decision and technical requirement
 * of the spec that lists the origin. The ids of those scenarios go to the end of the bug's `test_scenario_ids`
 * (cards 7.1). Allowed while the spec is locked, and beyond the limit of scenarios.
 * @returns the bug's `test_scenario_ids` afterwards
 */
export async function inheritLinks(ctx: Context, specId: string, originId: string, bugId: string): Promise<string[]> {
  const spec = await readSpec(ctx.db, specId)
  await store(ctx, specId, inherited(spec, originId, bugId), true)
  const before = (await cardLinkOf(ctx.db, bugId)).test_scenario_ids
  const after = [...new Set([...before, ...scenariosOf(spec, originId)])]
  // The links belong to the bug's creation, which is its first revision.
  if (after.length > before.length) await writeLinks(ctx, bugId, { test_scenario_ids: after, rev: 1 })
  return after
}
