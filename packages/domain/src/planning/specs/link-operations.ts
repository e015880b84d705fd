import { type features, itemLists } from '@specboard/contract'
import { refuseArchived, refuseArchivedCard } from '../../kernel/archived.ts'
import { boardSettings } from '../../kernel/board-settings.ts'
import type { Context } from '../../kernel/context.ts'
import { blocked, invalid, notFound } from '../../kernel/errors.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { recordOn, recordOnPart } from '../history/record-entry.ts'
import { refuseLocked } from '../spec-lock.ts'
import {
  type CardLink,
  cardLinkOf,
  type LinkEvent,
  linkScenarios,
  removeCardFromSpec,
  storeItemLinks,
  unlinkScenarios,
  writeLinks,
} from './card-links.ts'
import { itemIn, type LinkableList } from './items.ts'
import { checkScenarioLimit, linkedTo, unlinkedFrom } from './link-rules.ts'
import { linkableStatuses, refuseNotReady } from './states.ts'
import { readSpec, type SpecRecord } from './store.ts'

type Specs = typeof features.specs

const recordCard = (
  ctx: Context,
  spec: { readonly id: string; readonly board_id: string },
  event: LinkEvent,
  cardId: string,
): Promise<void> =>
  recordOnPart(ctx, 'spec', spec, {
    activity: { action: `spec_card_${event}`, details: { spec_id: spec.id, card_id: cardId } },
    history: {
      action: `card_${event}`,
      changes: [{ field: 'cards', old: event === 'linked' ? null : cardId, new: event === 'linked' ? cardId : null }],
      summary: `Card ${event}`,
    },
    domain: [
      { name: `card.${event === 'linked' ? 'linked_to' : 'unlinked_from'}_spec`, spec_id: spec.id, card_id: cardId },
    ],
    workOn: [cardId],
  })

/**
 * A card, if it is on the board of the path's spec.
 * @throws DomainError NOT_FOUND
 */
export async function cardOfBoard(ctx: Context, id: string): Promise<CardLink> {
  const card = await cardLinkOf(ctx.db, id)
  if (card.board_id !== ctx.boardId) throw notFound('card', id)
  return card
}

/**
 * A card, if it is on the path's spec.
 * @throws DomainError NOT_FOUND
 */
export async function cardOfSpec(ctx: Context, id: string): Promise<CardLink> {
  const card = await cardLinkOf(ctx.db, id)
  if (card.spec_id !== ctx.target.id) throw notFound('card', id)
  return card
}

/** link_card_to_spec (specs 8): the card leaves its former spec and loses all links there. */
export const linkCardToSpec: Implementation<Specs['link_card_to_spec']> = async ({ params }, ctx) => {
  const { spec_id, card_id } = params
  const card = await cardOfBoard(ctx, card_id)
  refuseArchived(ctx.target)
  refuseArchivedCard(card)
  const spec = await readSpec(ctx.db, spec_id)
  refuseNotReady(spec, linkableStatuses)
  if (card.spec_id !== spec_id) await linkCard(ctx, spec, card_id)
  return { success: true, spec_id, card_id }
}

/** Moves a card from its former spec to another spec of its board, whatever that spec's status. */
export async function linkCard(ctx: Context, spec: { readonly id: string; readonly board_id: string }, id: string) {
  const { spec_id, board_id } = await cardLinkOf(ctx.db, id)
  if (spec_id !== null) {
    await removeCardFromSpec(ctx, spec_id, id)
    await recordCard(ctx, { id: spec_id, board_id }, 'unlinked', id)
  }
  await writeLinks(ctx, id, { spec_id: spec.id })
  await recordCard(ctx, spec, 'linked', id)
}

/** unlink_card_from_spec (specs 8), in any status, locked or not. */
export const unlinkCardFromSpec: Implementation<Specs['unlink_card_from_spec']> = async ({ params }, ctx) => {
  const { spec_id, card_id } = params
  const card = await cardOfSpec(ctx, card_id)
  refuseArchived(ctx.target)
  refuseArchivedCard(card)
  await removeCardFromSpec(ctx, spec_id, card_id)
  await recordCard(ctx, ctx.target, 'unlinked', card_id)
  return { success: true, spec_id, card_id }
}

/** An item whose links change. */
interface LinkedItem {
  readonly list: LinkableList
  readonly id: string
  /** The name of the item in the history's summary. */
  readonly label: string
  /** The name of the item in the activity's entry. */
  readonly named: Readonly<Record<string, string>>
}

/** Records that a card and an item were linked or unlinked, with the item's links before and after. */
async function recordTask(
  ctx: Context,
  event: LinkEvent,
  before: SpecRecord,
  { list, id, label, named }: LinkedItem,
  cardId: string,
): Promise<void> {
  const change = event === 'linked' ? linkedTo : unlinkedFrom
  const after = { ...before, ...change(before, cardId, [id], list) }
  const links = (spec: SpecRecord) => itemIn(spec, list, id)?.linked_task_ids ?? null
  const details = { spec_id: before.id, ...named, card_id: cardId }
  await recordOn(ctx, 'spec', after, {
    activity: { action: `spec_task_${event}`, details },
    history: {
      action: `task_${event}`,
      changes: [{ field: `${list}.${id}.linked_task_ids`, old: links(before), new: links(after) }],
      summary: `Card ${event} ${event === 'linked' ? 'to' : 'from'} ${label}`,
    },
    domain: [{ name: `spec.task_${event}`, ...details }],
    workOn: [cardId],
  })
}

const scenarioNamed = (id: string): LinkedItem => ({
  list: 'test_scenarios',
  id,
  label: `scenario ${id}`,
  named: { scenario_id: id },
})

/**
 * Refuses a card of another spec.
 * @throws DomainError CARD_NOT_IN_SPEC
 */
function refuseOtherSpec(card: CardLink, specId: string): void {
  if (card.spec_id === specId) return
  throw blocked('CARD_NOT_IN_SPEC', 'The card is not on this spec. Link it with link_card_to_spec first.', {
    card_id: card.id,
    spec_id: card.spec_id,
  })
}

/** link_task_to_scenario (specs 8), allowed while locked; an existing pair stays as it is. */
export const linkTaskToScenario: Implementation<Specs['link_task_to_scenario']> = async ({ params }, ctx) => {
  const { spec_id, scenario_id, card_id } = params
  const card = await cardLinkOf(ctx.db, card_id)
  refuseArchived(ctx.target)
  refuseArchivedCard(card)
  refuseOtherSpec(card, spec_id)
  if (!card.test_scenario_ids.includes(scenario_id)) {
    const before = await readSpec(ctx.db, spec_id)
    const { max_scenarios_per_card } = await boardSettings(ctx.db, before.board_id)
    checkScenarioLimit(
      card_id,
      card.test_scenario_ids,
      [...card.test_scenario_ids, scenario_id],
      max_scenarios_per_card,
    )
    await linkScenarios(ctx, spec_id, card_id, [scenario_id])
    await recordTask(ctx, 'linked', before, scenarioNamed(scenario_id), card_id)
  }
  return { success: true, spec_id, scenario_id, card_id }
}

/** unlink_task_from_scenario (specs 8): does nothing when the pair does not exist. */
export const unlinkTaskFromScenario: Implementation<Specs['unlink_task_from_scenario']> = async ({ params }, ctx) => {
  const { spec_id, scenario_id, card_id } = params
  const card = await cardLinkOf(ctx.db, card_id)
  refuseArchived(ctx.target)
  refuseArchivedCard(card)
  if (card.spec_id === spec_id && card.test_scenario_ids.includes(scenario_id)) {
    const before = await readSpec(ctx.db, spec_id)
    refuseLocked(before)
    await unlinkScenarios(ctx, spec_id, card_id, [scenario_id])
    await recordTask(ctx, 'unlinked', before, scenarioNamed(scenario_id), card_id)
  }
  return { success: true, spec_id, scenario_id, card_id }
}

/** The names of item types in `link_task_to_item`. */
export type ItemType = keyof typeof itemLists

/** The types of a spec's items with an id. */
const typesOf = (spec: SpecRecord, id: string): ItemType[] =>
  (Object.keys(itemLists) as ItemType[]).filter(type => itemIn(spec, itemLists[type], id) !== undefined)

/**
 * The types that the item in the path can have: the given one, or all whose lists contain its id.
 * @throws DomainError NOT_FOUND
 */
function foundTypes(spec: SpecRecord, id: string, named: ItemType | undefined): readonly [ItemType, ...ItemType[]] {
  const [first, ...others] = typesOf(spec, id).filter(type => named === undefined || type === named)
  if (first === undefined) throw notFound(named ?? 'item', id)
  return [first, ...others]
}

/**
 * Refuses an id that occurs in several lists.
 * @throws DomainError VALIDATION_ERROR with `item_types`
 */
function onlyType([type, ...others]: readonly [ItemType, ...ItemType[]], id: string): ItemType {
  if (others.length === 0) return type
  const item_types = [type, ...others]
  throw invalid('item_type', `Several items have the id ${id}. Send item_type: ${item_types.join(' or ')}.`, {
    item_types,
  })
}

/**
 * Checks that an item in the path belongs to the path's spec.
 * @throws DomainError NOT_FOUND
 */
export async function checkItem(ctx: Context, id: string, named?: ItemType): Promise<void> {
  foundTypes(await readSpec(ctx.db, ctx.target.id), id, named)
}

type ItemLinkInput = Pick<Parameters<Implementation<Specs['link_task_to_item']>>[0], 'params' | 'body'>

/** The spec, card and item of a link, with the types that the item can have. */
async function readLink(ctx: Context, { params, body }: ItemLinkInput) {
  const before = await readSpec(ctx.db, params.spec_id)
  const card = await cardLinkOf(ctx.db, params.card_id)
  return { before, card, item_id: params.item_id, types: foundTypes(before, params.item_id, body?.item_type) }
}

/** Links or unlinks a card and an item, and returns the item's links; does nothing if that is already the case. */
async function changeItemLink(ctx: Context, event: LinkEvent, input: ItemLinkInput) {
  const link = await readLink(ctx, input)
  refuseArchived(ctx.target)
  return storeItemLink(ctx, event, link)
}

async function storeItemLink(ctx: Context, event: LinkEvent, link: Awaited<ReturnType<typeof readLink>>) {
  const { before, card, item_id, types } = link
  const [spec_id, card_id] = [before.id, card.id]
  refuseArchivedCard(card)
  const item_type = onlyType(types, item_id)
  const list = itemLists[item_type]
  if (event === 'linked') refuseOtherSpec(card, spec_id)
  const lists = (event === 'linked' ? linkedTo : unlinkedFrom)(before, card_id, [item_id], list)
  if (Object.keys(lists).length > 0) {
    if (event === 'unlinked') refuseLocked(before)
    await storeItemLinks(ctx, before, event, lists)
    const label = `${item_type.replaceAll('_', ' ')} ${item_id}`
    const item = { list, id: item_id, label, named: { item_id, item_type } }
    await recordTask(ctx, event, before, item, card_id)
  }
  const linked_task_ids = [...(itemIn({ ...before, ...lists }, list, item_id)?.linked_task_ids ?? [])]
  return { success: true as const, spec_id, item_id, item_type, card_id, linked_task_ids }
}

/** Links a card and an item of its spec, as link_task_to_item does. */
export async function linkCardToItem(ctx: Context, spec_id: string, item_id: string, card_id: string): Promise<void> {
  await storeItemLink(ctx, 'linked', await readLink(ctx, { params: { spec_id, item_id, card_id }, body: {} }))
}

/** link_task_to_item (specs 8), allowed while locked. */
export const linkTaskToItem: Implementation<Specs['link_task_to_item']> = (input, ctx) =>
  changeItemLink(ctx, 'linked', input)

/** unlink_task_from_item (specs 8). */
export const unlinkTaskFromItem: Implementation<Specs['unlink_task_from_item']> = (input, ctx) =>
  changeItemLink(ctx, 'unlinked', input)
