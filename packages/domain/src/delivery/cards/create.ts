import type { features, InputOf } from '@specboard/contract'
import { boardSettings, type Settings } from '../../kernel/board-settings.ts'
import type { Context } from '../../kernel/context.ts'
import { blocked, invalid } from '../../kernel/errors.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { nextRef } from '../../kernel/references.ts'
import { checkMockups } from '../../planning/mockups.ts'
import { inheritLinks, linkScenarios } from '../../planning/specs/card-links.ts'
import { checkScenarioLimit } from '../../planning/specs/link-rules.ts'
import { refuseNotReady } from '../../planning/specs/states.ts'
import type { Status as SpecStatus } from '../../planning/specs/store.ts'
import { insertRow } from '../../schema/rows.ts'
import { type CardRecord, type CardType, columnsOf, type Status, untried } from '../card-record/record.ts'
import { findCard } from '../card-record/store.ts'
import { recordOnCard } from '../card-record/write.ts'
import { type CardSpec, type CardSprint, findCardSprint } from './gates/facts.ts'
import { validationRequired } from './gates/gates.ts'
import { isBlank } from './gates/report.ts'
import { resolveThresholds } from './gates/thresholds.ts'
import { endOfColumn } from './positions.ts'
import { refuseArchivedSpec, refuseEndedSprint, scenariosOfSpec, specOfBoard, sprintOfSpec } from './references.ts'
import { readWholeCard } from './whole-card.ts'

type Body = InputOf<typeof features.boards.create_card>['body']

/** The statuses in which a spec accepts new cards of a type (cards 3.1, rule 5). */
export const creatingStatuses: Readonly<Record<CardType, readonly SpecStatus[]>> = {
  normal: ['approved', 'in_progress', 'done'],
  bug: ['approved', 'in_progress', 'done'],
  test: ['approved', 'validated', 'in_progress', 'done'],
}

const bugFields = ['origin_task_id', 'severity', 'expected_behavior', 'observed_behavior'] as const

/** Creates a card by the rules of cards 3.1, in their order. Creation is not a move, so no gates apply. */
export const createCard: Implementation<typeof features.boards.create_card> = async ({ body }, ctx) => {
  checkMockups(body.screen_mockups)
  const origin = await originOf(ctx, body)
  const specId = specOf(body, origin)
  const spec = await specOfBoard(ctx, ctx.boardId, specId)
  refuseArchivedSpec(spec)
  refuseNotReady(spec, creatingStatuses[body.card_type])
  if (body.card_type === 'test' && (body.test_scenario_ids ?? []).length === 0)
    throw invalid('test_scenario_ids', 'A test card tests at least one scenario of its spec. Name it.')
  const scenarioIds = scenariosOfSpec(spec, body.test_scenario_ids)
  const settings = await boardSettings(ctx.db, ctx.boardId)
  checkScenarioLimit(null, [], scenarioIds, settings.max_scenarios_per_card)
  const sprint = body.sprint_id == null ? undefined : await findCardSprint(ctx.db, body.sprint_id)
  checkFirstStatus(body, spec, sprint?.spec_id === spec.id ? sprint : null, settings)
  if (body.sprint_id != null) refuseEndedSprint(await sprintOfSpec(ctx, spec.id, body.sprint_id))
  const card = await insertCard(ctx, body, spec.id, scenarioIds)
  if (scenarioIds.length > 0) await linkScenarios(ctx, spec.id, card.id, scenarioIds)
  if (body.card_type === 'bug' && origin !== null) await inheritLinks(ctx, spec.id, origin.id, card.id)
  const { title, status, card_type, priority, spec_id } = card
  await recordOnCard(ctx, card, 'card_created', { title, status, card_type, priority, spec_id }, [
    { name: 'card.created' },
  ])
  return readWholeCard(ctx, card.id)
}

/** The spec of a new card: a bug gets that of its origin, any other card names it (cards 3.1, rule 3, rule 4). */
function specOf(body: Body, origin: CardRecord | null): string {
  const specId = body.card_type === 'bug' ? origin?.spec_id : body.spec_id
  if (specId != null) return specId
  throw body.card_type === 'bug'
    ? invalid('origin_task_id', 'The origin card of the bug has no spec. Link it to one first.')
    : invalid('spec_id', 'A card belongs to a spec. Send spec_id.', { missing: ['spec_id'] })
}

/** The origin of a bug: the card in which the defect arose, required for bugs (cards 3.1, rule 3). */
async function originOf(ctx: Context, body: Body): Promise<CardRecord | null> {
  const missing = body.card_type === 'bug' ? bugFields.filter(name => isBlank(body[name])) : []
  if (missing.length > 0) throw invalid(missing[0]!, `A bug needs ${missing.join(', ')}.`, { missing })
  if (body.origin_task_id == null) return null
  const origin = await findCard(ctx.db, body.origin_task_id)
  if (origin !== undefined && origin.board_id === ctx.boardId) return origin
  throw invalid('origin_task_id', `This board has no card ${body.origin_task_id}.`)
}

const bugStatuses: readonly Status[] = ['not_started', 'started']

/** Rule 8: a bug starts at the beginning, and a card that needs validation is not created past it. */
function checkFirstStatus(
  { card_type, status }: Pick<Body, 'card_type' | 'status'>,
  spec: CardSpec,
  sprint: CardSprint | null,
  settings: Settings,
): void {
  if (card_type === 'bug' && !bugStatuses.includes(status)) {
    throw blocked('INVALID_TRANSITION', `A bug is created in ${bugStatuses.join(' or ')}, not in ${status}.`, {
      from: null,
      to: status,
      allowed: bugStatuses,
    })
  }
  if (card_type !== 'normal' || (status !== 'validation' && status !== 'done')) return
  const thresholds = resolveThresholds(sprint, spec, settings)
  if (thresholds.required) throw validationRequired(thresholds, `Create it in an earlier status than ${status}.`)
}

async function insertCard(ctx: Context, body: Body, specId: string, scenarioIds: string[]): Promise<CardRecord> {
  const id = ctx.newId()
  const now = ctx.now()
  const card: CardRecord = {
    id,
    ref: await nextRef(ctx.db, ctx.boardId),
    board_id: ctx.boardId,
    title: body.title,
    description: body.description ?? null,
    details: body.details ?? null,
    card_type: body.card_type,
    status: body.status,
    priority: body.priority,
    position: await endOfColumn(ctx.db, ctx.boardId, body.status, id),
    spec_id: specId,
    sprint_id: body.sprint_id ?? null,
    assignee_id: body.assignee_id ?? null,
    due_date: body.due_date ?? null,
    labels: body.labels ?? null,
    test_scenario_ids: scenarioIds,
    screen_mockups: body.screen_mockups ?? [],
    knowledge_bases: [],
    checkpoint: null,
    origin_task_id: body.origin_task_id ?? null,
    severity: body.severity ?? null,
    expected_behavior: body.expected_behavior ?? null,
    observed_behavior: body.observed_behavior ?? null,
    steps_to_reproduce: body.steps_to_reproduce ?? null,
    action_plan: body.action_plan ?? null,
    linked_test_task_ids: [],
    rev: 1,
    conclusions: [],
    validation_stay: body.status === 'validation' ? 1 : 0,
    created_by: ctx.caller.id,
    created_at: now,
    updated_at: now,
    moved_at: now,
    moved_by: ctx.caller.id,
    archived: false,
    pre_archive_status: null,
    ...untried,
  }
  await insertRow(ctx.db, 'cards', columnsOf(card))
  return card
}
