import { type features, type InputOf, ScreenMockup } from '@specboard/contract'
import { refuseArchivedCard } from '../../kernel/archived.ts'
import { boardSettings } from '../../kernel/board-settings.ts'
import { changedFields } from '../../kernel/changes.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, refuse } from '../../kernel/errors.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { withLists } from '../../kernel/sent-lists.ts'
import { sameJson } from '../../lib/json.ts'
import { checkMockups } from '../../planning/mockups.ts'
import { lockOf, refuseLocked } from '../../planning/spec-lock.ts'
import { removeFromItems, replaceScenarios } from '../../planning/specs/card-links.ts'
import { checkScenarioLimit } from '../../planning/specs/link-rules.ts'
import { linkableStatuses, refuseNotReady } from '../../planning/specs/states.ts'
import type { Change, DomainEvent } from '../../schema/contents.ts'
import type { CardRecord, Status } from '../card-record/record.ts'
import { readCard } from '../card-record/store.ts'
import { recordUpdate, writeCard } from '../card-record/write.ts'
import { areProtected, moveRefusal } from '../claims/rules.ts'
import { recordScopeDrift } from '../scopes/left.ts'
import { recordingOverlaps } from '../scopes/overlaps.ts'
import { type CardSpec, type CardSprint, findCardSpec } from './gates/facts.ts'
import { isBlank } from './gates/report.ts'
import { findKeepingClaim } from './kept.ts'
import { mergedEntries } from './knowledge/entries.ts'
import { withNumbers } from './knowledge/numbers.ts'
import { labelsAfter, pathsAfter } from './labels.ts'
import { moveThroughGates } from './moves/move-card.ts'
import { place } from './positions.ts'
import { refuseArchivedSpec, refuseEndedSprint, scenariosOfSpec, specOfBoard, sprintOfSpec } from './references.ts'
import { markOwnChanges } from './requirement-changes.ts'
import { checkedTestTasks } from './test-tasks.ts'
import { readWholeCard } from './whole-card.ts'

type UpdateBody = InputOf<typeof features.cards.update_card>['body']
type Body = ReturnType<typeof wantedBody>

/** A body with its lists as they will be stored; the entries of knowledge are merged by separate rules. */
function wantedBody(before: CardRecord, { knowledge_bases, ...sent }: UpdateBody) {
  const body = withLists({ ...before }, sent, { screen_mockups: ScreenMockup })
  return { ...body, ...(knowledge_bases !== undefined && { knowledge_bases }), lists: sent.lists ?? 'replace' }
}

/** Changes the sent fields; a new status passes the gates of a move (cards 3.3). */
export const updateCard: Implementation<typeof features.cards.update_card> = async ({ params, body: sent }, ctx) => {
  const before = await readCard(ctx.db, params.card_id)
  const body = wantedBody(before, sent)
  const target = body.status === before.status ? undefined : body.status
  const links = await wantedLinks(ctx, before, body)
  const fields = { ...(await wantedFields(ctx, before, body, links)), ...links.fields }
  refuseArchivedCard(before)
  await refuseKept(ctx, before, fields, target)
  await refuseLinks(ctx, before, links)
  const position = await wantedPosition(ctx, before, body, target !== undefined)
  const changes = changedFields({ ...before }, { ...fields, ...position })
  if (changes.length > 0) {
    const writes = async () => {
      await writeCard(ctx, before.id, Object.fromEntries(changes.map(change => [change.field, change.new])))
      await writeLinks(ctx, before, links)
      await recordUpdate(ctx, before, changes, domainEvents(before, changes, links))
    }
    if (changes.some(({ field }) => field === 'paths')) {
      await recordingOverlaps(ctx, before, writes, { isWork: true, allow: sent.allow_overlap })
      await recordScopeDrift(ctx, before.board_id, [before.id])
    } else await writes()
    await markOwnChanges(ctx, before, changes)
  }
  if (target !== undefined) await moveThroughGates(ctx, before.id, target, body.position)
  return readWholeCard(ctx, before.id)
}

/** Refuses a move, and changes of fields, that another agent's claim reserves for it, before any gate (crew 2.5). */
async function refuseKept(
  ctx: Context,
  before: CardRecord,
  fields: Partial<CardRecord>,
  target: Status | undefined,
): Promise<void> {
  const changed = changedFields({ ...before }, fields).map(change => change.field)
  if (target !== undefined || areProtected(changed)) refuse(moveRefusal(await findKeepingClaim(ctx, before.id), ctx))
}

/** The links of the card after the update. */
interface Links {
  /** The spec after the update. */
  readonly spec: CardSpec | null
  readonly leavesSpec: boolean
  /** The sprint that the update puts the card into. */
  readonly sprint: CardSprint | null
  readonly fields: Pick<CardRecord, 'spec_id' | 'sprint_id' | 'test_scenario_ids'>
}

/** The requested links, with checked references (400). */
async function wantedLinks(ctx: Context, before: CardRecord, body: Body): Promise<Links> {
  const spec_id = body.spec_id === undefined ? before.spec_id : body.spec_id
  const leavesSpec = spec_id !== before.spec_id
  const spec = await specAfter(ctx, before, spec_id, leavesSpec)
  const current = leavesSpec ? [] : before.test_scenario_ids
  const requested = body.test_scenario_ids === undefined ? current : (body.test_scenario_ids ?? [])
  const test_scenario_ids = sameJson(requested, current) ? current : scenariosOfSpec(spec, requested)
  if (before.card_type === 'test' && before.test_scenario_ids.length > 0 && test_scenario_ids.length === 0)
    throw invalid('test_scenario_ids', 'A test card must test a scenario of its spec. Name at least one.')
  const currentSprint = leavesSpec ? null : before.sprint_id
  const sprint_id = body.sprint_id === undefined ? currentSprint : body.sprint_id
  const sprint = sprint_id === null || sprint_id === currentSprint ? null : await sprintOfSpec(ctx, spec_id, sprint_id)
  return { spec, leavesSpec, sprint, fields: { spec_id, sprint_id, test_scenario_ids } }
}

async function specAfter(
  ctx: Context,
  before: CardRecord,
  specId: string | null,
  leavesSpec: boolean,
): Promise<CardSpec | null> {
  if (specId === null) return null
  return leavesSpec ? specOfBoard(ctx, before.board_id, specId) : ((await findCardSpec(ctx.db, specId)) ?? null)
}

/** Refuses links that are blocked (409), in the order of the contract. */
async function refuseLinks(
  ctx: Context,
  before: CardRecord,
  { spec, leavesSpec, sprint, fields }: Links,
): Promise<void> {
  if (leavesSpec && spec !== null) {
    refuseArchivedSpec(spec)
    refuseNotReady(spec, linkableStatuses)
  }
  const former = leavesSpec ? [] : before.test_scenario_ids
  const remaining = new Set(fields.test_scenario_ids)
  if (spec !== null && former.some(id => !remaining.has(id))) refuseLocked(await lockOf(ctx.db, spec.id))
  if (!sameJson(former, fields.test_scenario_ids)) {
    const { max_scenarios_per_card } = await boardSettings(ctx.db, before.board_id)
    checkScenarioLimit(before.id, former, fields.test_scenario_ids, max_scenarios_per_card)
  }
  if (sprint !== null) refuseEndedSprint(sprint)
}

/** Writes both sides of the scenario links; a card that leaves its spec leaves all of its items. */
async function writeLinks(ctx: Context, before: CardRecord, { leavesSpec, fields }: Links): Promise<void> {
  const { spec_id, test_scenario_ids } = fields
  if (leavesSpec && before.spec_id !== null) await removeFromItems(ctx, before.spec_id, before.id)
  const former = leavesSpec ? [] : before.test_scenario_ids
  if (spec_id !== null && !sameJson(former, test_scenario_ids))
    await replaceScenarios(ctx, spec_id, before.id, test_scenario_ids)
}

/** The requested fields other than links, status and position, with checked values (400). */
async function wantedFields(ctx: Context, before: CardRecord, body: Body, links: Links): Promise<Partial<CardRecord>> {
  const { card_type, status, position, spec_id, sprint_id, test_scenario_ids, ...rest } = body
  const { add_labels, remove_labels, paths, add_paths, remove_paths, ...replaced } = rest
  const { title, priority, screen_mockups, knowledge_bases, linked_test_task_ids, lists, allow_overlap, ...plain } =
    replaced
  checkBugFields(before, body)
  checkMockups(screen_mockups)
  const author = { id: ctx.caller.id, now: ctx.now(), newId: () => ctx.newId() }
  return {
    ...plain,
    ...((add_labels ?? remove_labels) !== undefined && {
      labels: labelsAfter(before.labels, add_labels, remove_labels),
    }),
    ...(paths !== undefined && { paths: paths ?? [] }),
    ...((add_paths ?? remove_paths) !== undefined && { paths: pathsAfter(before.paths, add_paths, remove_paths) }),
    ...(title != null && { title }),
    ...(priority != null && { priority }),
    ...(screen_mockups !== undefined && { screen_mockups: screen_mockups ?? [] }),
    ...(knowledge_bases !== undefined && {
      knowledge_bases: await withNumbers(
        ctx,
        before,
        mergedEntries(knowledge_bases ?? [], before.knowledge_bases, author, lists),
      ),
    }),
    ...(linked_test_task_ids !== undefined && {
      linked_test_task_ids: await checkedTestTasks(ctx, before, links.spec, linked_test_task_ids ?? []),
    }),
  }
}

/** Refuses to clear the fields that a bug must have. */
function checkBugFields(before: CardRecord, body: Body): void {
  if (before.card_type !== 'bug') return
  const missing = (['severity', 'expected_behavior', 'observed_behavior'] as const).filter(
    name => body[name] !== undefined && isBlank(body[name]),
  )
  if (missing.length > 0)
    throw invalid(missing[0]!, `A bug must keep its ${missing.join(', ')}: send a value.`, { missing })
}

/** The new position of a card that stays in its column; a move places the card itself. */
async function wantedPosition(
  ctx: Context,
  before: CardRecord,
  { position }: Body,
  moves: boolean,
): Promise<Pick<Partial<CardRecord>, 'position'>> {
  if (moves || position == null || position === before.position) return {}
  return { position: await place(ctx.db, before, before.status, position, ctx.now()) }
}

function domainEvents(before: CardRecord, changes: readonly Change[], { leavesSpec, fields }: Links): DomainEvent[] {
  return changes.flatMap(({ field, old, new: value }): DomainEvent[] => {
    if (field === 'test_scenario_ids' && !leavesSpec) return scenarioEvents(before, fields.test_scenario_ids)
    if (field === 'priority') return [{ name: 'card.priority_changed', old, new: value }]
    if (field === 'severity' && before.card_type === 'bug') return [{ name: 'card.severity_changed', old, new: value }]
    if (field !== 'spec_id') return []
    return [
      ...(old === null ? [] : [{ name: 'card.unlinked_from_spec', spec_id: old }]),
      ...(value === null ? [] : [{ name: 'card.linked_to_spec', spec_id: value }]),
    ]
  })
}

/** The domain events for the scenarios that a card was linked to or unlinked from. */
function scenarioEvents({ test_scenario_ids: before }: CardRecord, after: readonly string[]): DomainEvent[] {
  const events = (name: string, ids: Iterable<string>) => [...ids].map(scenario_id => ({ name, scenario_id }))
  const [was, is] = [new Set(before), new Set(after)]
  return [...events('spec.task_unlinked', was.difference(is)), ...events('spec.task_linked', is.difference(was))]
}
