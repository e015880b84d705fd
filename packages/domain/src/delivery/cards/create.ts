import type { features, InputOf } from '@specboard/contract'
import { boardSettings, type Settings } from '../../kernel/board-settings.ts'
import type { Context } from '../../kernel/context.ts'
import { blocked, invalid, refuse } from '../../kernel/errors.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { PersonRequired } from '../../kernel/person-required.ts'
import { nextRef } from '../../kernel/references.ts'
import { checkMockups } from '../../planning/mockups.ts'
import { proofFacts, proofRequired } from '../../planning/proof/gate.ts'
import { proofOfCard } from '../../planning/proof/records.ts'
import { inheritLinks, linkScenarios } from '../../planning/specs/card-links.ts'
import { itemIn, linkableLists } from '../../planning/specs/items.ts'
import { linkCardToItem } from '../../planning/specs/link-operations.ts'
import { checkScenarioLimit } from '../../planning/specs/link-rules.ts'
import { standingSpec } from '../../planning/specs/standing.ts'
import { refuseNotReady } from '../../planning/specs/states.ts'
import { readSpec, type Status as SpecStatus } from '../../planning/specs/store.ts'
import { insertRow } from '../../schema/rows.ts'
import { type CardRecord, type CardType, columnsOf, type Status, untried } from '../card-record/record.ts'
import { findCard, readCard } from '../card-record/store.ts'
import { recordOnCard } from '../card-record/write.ts'
import { takeClaim } from '../claims/claim.ts'
import { changeFacts, changeNotMerged, checksNotGreen } from '../git/change-gates.ts'
import { addDependency } from './dependencies/operations.ts'
import { columnFull, fullColumns } from './gates/column-limit.ts'
import { type CardSpec, type CardSprint, findCardSprint } from './gates/facts.ts'
import { validationRequired } from './gates/gates.ts'
import { checkOf, checkShares, isBlank } from './gates/report.ts'
import { resolveThresholds } from './gates/thresholds.ts'
import { moveThroughGates } from './moves/move-card.ts'
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

const bugFields = ['expected_behavior', 'observed_behavior'] as const

/** Creates a card by the rules of cards 3.1 and crew 6, in their order. */
export const createCard: Implementation<typeof features.boards.create_card> = async ({ body }, ctx) => {
  checkMockups(body.screen_mockups)
  checkShares(body)
  const origin = await originOf(ctx, body)
  const settings = await boardSettings(ctx.db, ctx.boardId)
  const spec = await specOfCard(ctx, body, origin, settings)
  refuseArchivedSpec(spec)
  refuseNotReady(spec, creatingStatuses[body.card_type])
  if (body.card_type === 'test' && (body.test_scenario_ids ?? []).length === 0)
    throw invalid('test_scenario_ids', 'A test card must test a scenario of its spec. Name at least one.')
  const covered = await coveredBy(ctx, spec, body.covers ?? [])
  const scenarioIds = scenariosOfSpec(spec, [...(body.test_scenario_ids ?? []), ...covered.scenarios])
  checkScenarioLimit(null, [], scenarioIds, settings.max_scenarios_per_card)
  const sprint = body.sprint_id == null ? undefined : await findCardSprint(ctx.db, body.sprint_id)
  checkFirstStatus(body, spec, sprint?.spec_id === spec.id ? sprint : null, settings)
  if (body.sprint_id != null) refuseEndedSprint(await sprintOfSpec(ctx, spec.id, body.sprint_id))
  await refuseFullColumn(ctx, body, settings)
  if (body.imported === true) {
    refuseFinished(ctx, body.status, settings)
    await refuseUnproven(ctx, body, spec, scenarioIds, settings)
  }
  const isGated = endsWithReport.has(body.status) && body.imported !== true
  const card = await insertCard(ctx, isGated ? { ...body, status: 'not_started' } : body, spec.id, scenarioIds)
  if (scenarioIds.length > 0) await linkScenarios(ctx, spec.id, card.id, scenarioIds)
  if (body.card_type === 'bug' && origin?.spec_id === spec.id) await inheritLinks(ctx, spec.id, origin.id, card.id)
  const { title, status, card_type, priority, spec_id } = card
  const details = { title, status, card_type, priority, spec_id, ...(card.imported && { imported: true }) }
  await recordOnCard(ctx, card, 'card_created', details, [{ name: 'card.created' }])
  for (const item of covered.items) await linkCardToItem(ctx, spec.id, item, card.id)
  for (const other of new Set(body.depends_on)) await addDependency(ctx, card.id, other)
  if (isGated) await moveThroughGates(ctx, card.id, body.status, undefined, body)
  await claimAndStart(ctx, card.id, body)
  return readWholeCard(ctx, card.id)
}

/**
 * A new card needs room in its column; past work has already been done. A card that starts at once, or that is filed in
 * `validation`, is moved there afterwards, and the limit is checked then (access 4).
 * @throws DomainError COLUMN_FULL
 */
async function refuseFullColumn({ db, boardId }: Context, body: Body, settings: Settings): Promise<void> {
  const isMoved = endsWithReport.has(body.status) || (body.claim != null && body.claim !== false)
  if (body.imported === true || isMoved) return
  refuse(columnFull(await fullColumns(db, boardId, settings), body.status, boardId))
}

/**
 * Past work is filed in `done` without gates; if a person must finish cards, only a present one may do so (people 1.3).
 * @throws DomainError PERSON_REQUIRED
 */
function refuseFinished({ caller, boardId }: Context, status: Status, { approval_done }: Settings): void {
  if (status !== 'done' || approval_done !== 'person' || caller.present) return
  const gate = 'approval_done'
  const action = 'the creation of a card in done'
  throw new PersonRequired({ needs: 'present', gate, action, boardId, permissions: ['CARDS_MOVE_DONE'] })
}

/**
 * Past work needs proof and changes too, if the board requires them, and a new card has neither (evidence 8, git 6).
 * @throws DomainError PROOF_REQUIRED, CHANGE_NOT_MERGED, CHECKS_NOT_GREEN
 */
async function refuseUnproven(
  ctx: Context,
  { title, status, card_type }: Body,
  spec: CardSpec,
  scenarioIds: readonly string[],
  settings: Settings,
): Promise<void> {
  if (status !== 'done') return
  refuse(proofRequired(await proofOfNew(ctx, title, spec, scenarioIds, settings)))
  if (card_type === 'test') return
  const facts = await changeFacts(ctx.db, ctx.boardId, null, settings)
  refuse(changeNotMerged(facts, null) ?? checksNotGreen(facts, null))
}

/** The missing proof of a card that does not exist yet: only its scenarios can prove it. */
function proofOfNew(
  { db, boardId }: Context,
  title: string,
  spec: CardSpec,
  scenarioIds: readonly string[],
  settings: Settings,
) {
  const of = { id: 'new', ref: 'the new card', board_id: boardId }
  const card = { ...of, title, status: 'not_started', test_scenario_ids: scenarioIds, validation_stay: 0 }
  // The card does not exist yet, so it has no waiver.
  const record = { ...of, type: 'spec' as const, spec_id: spec.id }
  return proofFacts(db, record, settings, async () =>
    proofOfCard(db, card, scenarioIds.length === 0 ? null : await readSpec(db, spec.id), settings),
  )
}

/** The statuses whose gates and report apply to a new card as if it came from `not_started` (crew 6.7). */
const endsWithReport: ReadonlySet<Status> = new Set(['validation', 'done'])

/** How long a card is claimed when it is claimed at its creation, seconds. */
const usualLease = 1_800

/** Claims a new card for the caller and starts it, if the body says so (crew 6.2). */
async function claimAndStart(ctx: Context, id: string, { claim, status, allow_overlap, session }: Body): Promise<void> {
  if (claim == null || claim === false) return
  if (status !== 'not_started')
    throw invalid('claim', 'With claim, a card is created in not_started. Leave status out.')
  await takeClaim(ctx, await readCard(ctx.db, id), {
    lease_seconds: claim === true ? usualLease : claim,
    allow_overlap,
    session,
  })
  await moveThroughGates(ctx, id, 'started', undefined)
}

/** The items of a spec that a new card covers, except scenarios. */
async function coveredBy(ctx: Context, { id }: CardSpec, names: readonly string[]) {
  if (names.length === 0) return { scenarios: [], items: [] }
  const spec = await readSpec(ctx.db, id)
  const scenarios = new Set((spec.test_scenarios ?? []).map(scenario => scenario.id))
  const unknown = names.filter(name => !scenarios.has(name) && !linkableLists.some(list => itemIn(spec, list, name)))
  if (unknown.length > 0) throw invalid('covers', `The card's spec has no item ${unknown.join(', ')}.`, { unknown })
  return { scenarios: names.filter(name => scenarios.has(name)), items: names.filter(name => !scenarios.has(name)) }
}

/** The spec of a new card: the given one, or that of a bug's origin, or else the one for small changes (crew 6.2). */
async function specOfCard(
  ctx: Context,
  body: Body,
  origin: CardRecord | null,
  { small_changes }: Settings,
): Promise<CardSpec> {
  const named = (body.card_type === 'bug' ? origin?.spec_id : null) ?? body.spec_id
  if (named != null) return specOfBoard(ctx, ctx.boardId, named)
  if (body.card_type === 'test' || !small_changes)
    throw invalid('spec_id', 'A card belongs to a spec. Send spec_id.', { missing: ['spec_id'] })
  return specOfBoard(ctx, ctx.boardId, await standingSpec(ctx))
}

/** The origin of a bug: the card in which the defect arose, if it is known (cards 3.1, rule 3). */
async function originOf(ctx: Context, body: Body): Promise<CardRecord | null> {
  const missing = body.card_type === 'bug' ? bugFields.filter(name => isBlank(body[name])) : []
  if (missing.length > 0) throw invalid(missing[0]!, `A bug needs ${missing.join(', ')}.`, { missing })
  if (body.origin_task_id == null) return null
  const origin = await findCard(ctx.db, body.origin_task_id)
  if (origin !== undefined && origin.board_id === ctx.boardId) return origin
  throw invalid('origin_task_id', `This board has no card ${body.origin_task_id}.`)
}

const bugStatuses: readonly Status[] = ['not_started', 'started']

/** Rule 8: a bug starts at the beginning, and past work that needs validation cannot skip it. */
function checkFirstStatus(
  { card_type, status, imported }: Pick<Body, 'card_type' | 'status' | 'imported'>,
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
  if (imported !== true || card_type !== 'normal' || !endsWithReport.has(status)) return
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
    paths: body.paths ?? [],
    test_scenario_ids: scenarioIds,
    screen_mockups: body.screen_mockups ?? [],
    knowledge_bases: [],
    checkpoint: null,
    origin_task_id: body.origin_task_id ?? null,
    severity: body.severity ?? (body.card_type === 'bug' ? 'minor' : null),
    expected_behavior: body.expected_behavior ?? null,
    observed_behavior: body.observed_behavior ?? null,
    steps_to_reproduce: body.steps_to_reproduce ?? null,
    action_plan: body.action_plan ?? null,
    regression_test: body.regression_test ?? null,
    check: checkOf(body.check),
    ...(body.imported === true && { imported: true }),
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
