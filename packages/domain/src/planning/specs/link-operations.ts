import type { features } from '@specboard/contract'
import { refuseArchived, refuseArchivedCard } from '../../kernel/archived.ts'
import { boardSettings } from '../../kernel/board-settings.ts'
import type { Context } from '../../kernel/context.ts'
import { blocked, notFound } from '../../kernel/errors.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { recordOn, recordOnPart } from '../history/record-entry.ts'
import { refuseLocked } from '../spec-lock.ts'
import {
  type CardLink,
  cardLinkOf,
  linkScenarios,
  removeCardFromSpec,
  unlinkScenarios,
  writeLinks,
} from './card-links.ts'
import type { Scenario } from './items.ts'
import { checkScenarioLimit, linkedTo, unlinkedFrom } from './link-rules.ts'
import { linkableStatuses, refuseNotReady } from './states.ts'
import { readSpec, type SpecRecord } from './store.ts'

type Specs = typeof features.specs

const recordCard = (
  ctx: Context,
  spec: { readonly id: string; readonly board_id: string },
  event: 'linked' | 'unlinked',
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
  if (card.spec_id !== spec_id) {
    if (card.spec_id !== null) {
      await removeCardFromSpec(ctx, card.spec_id, card_id)
      await recordCard(ctx, { id: card.spec_id, board_id: card.board_id }, 'unlinked', card_id)
    }
    await writeLinks(ctx, card_id, { spec_id })
    await recordCard(ctx, spec, 'linked', card_id)
  }
  return { success: true, spec_id, card_id }
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

const scenarioIn = (spec: SpecRecord, id: string): Scenario | undefined =>
  spec.test_scenarios?.find(scenario => scenario.id === id)

/**
 * Checks that a scenario in the path belongs to the path's spec.
 * @throws DomainError NOT_FOUND
 */
export async function checkScenario(ctx: Context, id: string): Promise<void> {
  const spec = await readSpec(ctx.db, ctx.target.id)
  if (scenarioIn(spec, id) === undefined) throw notFound('test_scenario', id)
}

/** Records that a pair was made or broken, with the scenario's links before and after. */
async function recordTask(
  ctx: Context,
  event: 'linked' | 'unlinked',
  before: SpecRecord,
  scenarioId: string,
  cardId: string,
): Promise<void> {
  const change = event === 'linked' ? linkedTo : unlinkedFrom
  const after = { ...before, ...change(before, cardId, [scenarioId]) }
  const links = (spec: SpecRecord) => scenarioIn(spec, scenarioId)?.linked_task_ids ?? null
  const details = { spec_id: before.id, scenario_id: scenarioId, card_id: cardId }
  await recordOn(ctx, 'spec', after, {
    activity: { action: `spec_task_${event}`, details },
    history: {
      action: `task_${event}`,
      changes: [{ field: `test_scenarios.${scenarioId}.linked_task_ids`, old: links(before), new: links(after) }],
      summary: `Card ${event} ${event === 'linked' ? 'to' : 'from'} scenario ${scenarioId}`,
    },
    domain: [{ name: `spec.task_${event}`, ...details }],
  })
}

/** link_task_to_scenario (specs 8), allowed while locked; an existing pair stays as it is. */
export const linkTaskToScenario: Implementation<Specs['link_task_to_scenario']> = async ({ params }, ctx) => {
  const { spec_id, scenario_id, card_id } = params
  const card = await cardLinkOf(ctx.db, card_id)
  refuseArchived(ctx.target)
  refuseArchivedCard(card)
  if (card.spec_id !== spec_id) {
    throw blocked('CARD_NOT_IN_SPEC', 'The card is not on this spec. Link it with link_card_to_spec first.', {
      card_id,
      spec_id: card.spec_id,
    })
  }
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
    await recordTask(ctx, 'linked', before, scenario_id, card_id)
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
    await recordTask(ctx, 'unlinked', before, scenario_id, card_id)
  }
  return { success: true, spec_id, scenario_id, card_id }
}
