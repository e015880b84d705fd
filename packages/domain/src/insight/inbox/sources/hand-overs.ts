import { dialect } from '@specboard/storage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { readCard } from '../../../delivery/card-record/store.ts'
import { readMoveFacts } from '../../../delivery/cards/gates/facts.ts'
import { asksOf, isApproved, gatesOfMove as judgeCardGates } from '../../../delivery/cards/gates/gates.ts'
import { separatesReview, validatedByPersons } from '../../../delivery/cards/list/ready.ts'
import { lostNow, usedUp } from '../../../delivery/claims/attempts.ts'
import type { Member } from '../../../kernel/access/holders.ts'
import type { ApprovalSetting } from '../../../kernel/approval-settings.ts'
import type { Context } from '../../../kernel/context.ts'
import { firstRefusal } from '../../../kernel/gates.ts'
import { mayCall } from '../../../kernel/service/may-call.ts'
import { byAscii } from '../../../lib/text-order.ts'
import { couldApprove } from '../../../planning/review/approvals.ts'
import { writersOfSpec, writersSinceReview } from '../../../planning/review/participants.ts'
import { isSeparate } from '../../../planning/review/rules.ts'
import { gatesOfSpec, readGateFacts } from '../../../planning/specs/gates.ts'
import { readSpec } from '../../../planning/specs/store.ts'
import {
  gatesOfSprint as judgeSprintGates,
  readGateFacts as readSprintFacts,
  unprovenIn,
} from '../../../planning/sprints/gates.ts'
import { readSprint } from '../../../planning/sprints/store.ts'
import { hot } from '../../../schema/hot.ts'
import { sameBoard } from '../../../schema/same-board.ts'
import type { SprintsTable } from '../../../schema/tables.ts'
import type { WaitingItem } from '../rules.ts'
import { foundColumns, idsOf, movedAtSequence, onBoards, recordOf, type Source } from '../source.ts'
import { coverageGap } from './coverage-gap.ts'
import { membersOn, responsibilityOfCaller } from './keepers.ts'
import { type CallOf, type Step, type StepCall, stepSource } from './steps.ts'

const condition = (text: RawBuilder<unknown>) => sql<SqlBool>`${text}`

const isEvaluated = condition(sql`exists (select 1 from events made where made.entity_id = r.id
  and ${sameBoard('made', 'r')} and made.seq > ${movedAtSequence('r')} and made.history_action = 'complexity_evaluated')`)

const madeOf = (table: 'specs' | 'refinements', parent: 'ideation_id' | 'refinement_id') =>
  sql`exists (select 1 from ${sql.table(table)} made where ${sql.ref(`made.${parent}`)} = r.id and ${sameBoard('made', 'r')})`

const nothingMade = sql`not ${madeOf('specs', 'ideation_id')} and not ${madeOf('refinements', 'ideation_id')}`

const hasScope = sql`coalesce(${dialect.jsonLength(sql.ref<string | null>('r.in_scope'))}, 0) > 0`

const planning: readonly Step[] = [
  {
    kind: 'own_draft',
    about: 'ideation',
    status: 'draft',
    call: { operation: 'move_ideation', arguments: { status: 'review' } },
    isFor: responsibilityOfCaller,
  },
  {
    kind: 'ideation_next',
    about: 'ideation',
    status: 'review',
    call: { operation: 'move_ideation', arguments: { status: 'approved' } },
  },
  {
    kind: 'ideation_next',
    about: 'ideation',
    status: 'approved',
    call: { operation: 'move_ideation', arguments: { status: 'evaluating' } },
  },
  {
    kind: 'ideation_next',
    about: 'ideation',
    status: 'evaluating',
    where: isEvaluated,
    call: { operation: 'move_ideation', arguments: { status: 'done' } },
  },
  {
    kind: 'ideation_next',
    about: 'ideation',
    status: 'done',
    where: condition(sql`${nothingMade} and coalesce(r.complexity, 'small') = 'small'`),
    call: { operation: 'derive_spec_from_ideation' },
  },
  {
    kind: 'ideation_next',
    about: 'ideation',
    status: 'done',
    where: condition(sql`${nothingMade} and r.complexity in ('medium', 'large')`),
    call: { operation: 'create_refinement', data: { asks: ['title'] } },
  },
  {
    kind: 'own_draft',
    about: 'refinement',
    status: 'draft',
    where: condition(sql`not (${hasScope})`),
    call: { operation: 'update_refinement', data: { asks: ['in_scope'] } },
    isFor: responsibilityOfCaller,
  },
  {
    kind: 'own_draft',
    about: 'refinement',
    status: 'draft',
    where: condition(hasScope),
    call: { operation: 'move_refinement', arguments: { status: 'review' } },
    isFor: responsibilityOfCaller,
  },
  {
    kind: 'refinement_next',
    about: 'refinement',
    status: 'review',
    call: { operation: 'move_refinement', arguments: { status: 'approved' } },
  },
  {
    kind: 'refinement_next',
    about: 'refinement',
    status: 'approved',
    call: { operation: 'move_refinement', arguments: { status: 'done' } },
  },
  {
    kind: 'refinement_next',
    about: 'refinement',
    status: 'done',
    where: condition(sql`not ${madeOf('specs', 'refinement_id')}`),
    call: { operation: 'derive_spec_from_refinement' },
  },
  {
    kind: 'own_draft',
    about: 'spec',
    status: 'draft',
    call: { operation: 'move_spec', arguments: { status: 'review' } },
    isFor: responsibilityOfCaller,
  },
]

export const requiresValidation = sql`exists (select 1 from boards b where b.id = r.board_id
  and ${dialect.jsonFlag(sql.ref<string>('b.settings'), 'require_spec_validation')})`

const cardOfSpec = (which: RawBuilder<unknown>) =>
  sql`exists (select 1 from cards c where c.spec_id = r.id and ${sameBoard('c', 'r')} and c.archived = 0 and ${which})`

const openSprint = sql`exists (select 1 from sprints s where s.spec_id = r.id and ${sameBoard('s', 'r')} and s.archived = 0
  and s.status not in ('closed', 'cancelled'))`

/** A spec in progress that waits for nothing. */
const waitsForNothing = condition(
  sql`not ${cardOfSpec(sql`c.status not in ('done', 'cancelled')`)} and not ${openSprint}`,
)

const factsOf = async (ctx: Context, { record }: WaitingItem) => readGateFacts(ctx.db, await readSpec(ctx.db, record))

const whereOpen =
  (names: Parameters<typeof gatesOfSpec>[1], status: string, approval: SpecApproval): CallOf =>
  async (ctx, found) => {
    const facts = await factsOf(ctx, found)
    const isOpen = firstRefusal(gatesOfSpec(facts, names)) === null && coverageGap(facts) === null
    const may =
      isOpen &&
      (await couldApprove(facts.settings[approval.setting], ctx.caller, () => approval.work(ctx.db, recordOf(found))))
    return may ? { operation: 'move_spec', arguments: { status } } : null
  }

/** Who approves a spec by a move (people 1.3). */
interface SpecApproval {
  readonly setting: ApprovalSetting
  readonly work: typeof writersOfSpec
}

const specs: readonly Step[] = [
  {
    kind: 'spec_coverage',
    about: 'spec',
    status: 'approved',
    call: async (ctx, found) => coverageGap(await factsOf(ctx, found)),
  },
  {
    kind: 'spec_start',
    about: 'spec',
    status: 'approved',
    where: condition(sql`not ${requiresValidation}`),
    call: whereOpen(['coverage'], 'validated', { setting: 'approval_spec_validation', work: writersOfSpec }),
  },
  {
    kind: 'spec_start',
    about: 'spec',
    status: 'validated',
    call: async (ctx, found) =>
      firstRefusal(gatesOfSpec(await factsOf(ctx, found), ['coverage', 'evaluation'])) === null
        ? { operation: 'move_spec', arguments: { status: 'in_progress' } }
        : null,
  },
  {
    kind: 'spec_coverage',
    about: 'spec',
    status: 'in_progress',
    where: condition(sql`not ${cardOfSpec(sql`true`)}`),
    call: async (ctx, found) => ({
      operation: 'create_card',
      arguments: { board_id: (await readSpec(ctx.db, found.record)).board_id },
      data: { gate: 'cards', missing: { cards: 1 }, first: [], asks: ['title'] },
    }),
  },
  {
    kind: 'spec_coverage',
    about: 'spec',
    status: 'in_progress',
    where: condition(sql`${cardOfSpec(sql`true`)} and ${waitsForNothing}`),
    call: async (ctx, found) => coverageGap(await factsOf(ctx, found)),
  },
  {
    kind: 'spec_finish',
    about: 'spec',
    status: 'in_progress',
    where: condition(sql`${cardOfSpec(sql`true`)} and ${waitsForNothing}`),
    call: whereOpen(['criteria', 'coverage', 'sprints', 'tasks', 'scenarios', 'proof'], 'done', {
      setting: 'approval_done',
      work: writersSinceReview,
    }),
  },
]

const cardOfSprint = (which: RawBuilder<unknown>) =>
  sql`exists (select 1 from cards c where c.sprint_id = r.id and ${sameBoard('c', 'r')} and c.archived = 0 and ${which})`

const sprintFacts = async (ctx: Context, { record }: WaitingItem) =>
  readSprintFacts(ctx.db, await readSprint(ctx.db, record))

/** The call that records the result of a scenario. */
const recordingOf = async (
  { db }: Context,
  spec_id: string,
  scenario: { readonly id: string; readonly title: string } | undefined,
): Promise<StepCall> => ({
  operation: 'record_scenario_result',
  status: (await readSpec(db, spec_id)).status,
  arguments: { spec_id, scenario_id: scenario?.id, status: 'passed' },
  data: {
    first: scenario === undefined ? [] : [{ gate: 'scenarios', id: scenario.id, label: scenario.title }],
    asks: ['evidence'],
  },
})

const isFree = sql`c.sprint_id is null and c.status not in ('done', 'cancelled')`

/** A finished card of a spec that has sprints, none of them closed: it needs a closed one to be done (specs 6.3). */
const isNeededForClosing = sql`c.status in ('done', 'cancelled')
  and not exists (select 1 from sprints o where o.spec_id = r.spec_id and ${sameBoard('o', 'r')} and o.archived = 0
    and (o.status in ('closed', 'active', 'review') or o.id < r.id and o.status = 'draft'))`

/** The cards `c` of the spec of a sprint `r` that meet a condition. */
const cardsOfItsSpec = (which: RawBuilder<unknown>) =>
  sql`cards c where c.spec_id = r.spec_id and ${sameBoard('c', 'r')} and c.archived = 0 and ${which}`

/** Looked up sprint by sprint: with `exists`, PostgreSQL would compare all cards with all sprints. */
const anyOfItsSpec = (which: RawBuilder<unknown>) =>
  sql`coalesce((select true from ${cardsOfItsSpec(which)} limit 1), false)`

/** The step by which an empty sprint gets those cards of its spec that meet a condition. */
function gettingCards(which: RawBuilder<unknown>): Pick<Step, 'call' | 'shownArguments'> {
  const cards = hot<{ sprint: string }, { id: string }>((_, param) => {
    const sprint = sql`(select * from sprints where id = ${param('sprint')}) r`
    const all = sql`select c.id from ${sprint}, ${cardsOfItsSpec(which)}`
    return sql<{ id: string }>`${all} order by c.created_at, c.id limit 20`
  })
  return {
    call: { operation: 'assign_sprint_tasks' },
    shownArguments: async ({ db }, { record: sprint }) => {
      const found = await cards(db, { sprint })
      return { card_ids: found.map(({ id }) => id) }
    },
  }
}

const bringsCards = sql`(select p.status from specs p where p.id = r.spec_id and ${sameBoard('p', 'r')})
  not in ('draft', 'review', 'approved', 'validated')`

const isEmpty = sql`not ${cardOfSprint(sql`true`)}`

/**
 * The steps of an empty sprint: it gets cards without a sprint, or finished ones where the spec needs a closed sprint;
 * before the spec brings cards it waits for them, and otherwise it is useless.
 */
const emptySprints: readonly Step[] = [
  { where: anyOfItsSpec(isFree), ...gettingCards(isFree) },
  {
    where: sql`not ${anyOfItsSpec(isFree)} and ${bringsCards} and ${anyOfItsSpec(isNeededForClosing)}`,
    ...gettingCards(isNeededForClosing),
  },
  {
    where: sql`not ${anyOfItsSpec(isFree)} and ${bringsCards} and not ${anyOfItsSpec(isNeededForClosing)}`,
    call: { operation: 'move_sprint', arguments: { status: 'cancelled' } } as const,
  },
].map(({ where, ...step }) => ({
  kind: 'own_draft',
  about: 'sprint',
  status: 'draft',
  where: condition(sql`${isEmpty} and ${where}`),
  ...step,
}))

const sprints: readonly Step[] = [
  ...emptySprints,
  {
    kind: 'sprint_next',
    about: 'sprint',
    status: 'draft',
    where: condition(cardOfSprint(sql`true`)),
    call: { operation: 'move_sprint', arguments: { status: 'active' } },
  },
  {
    kind: 'sprint_next',
    about: 'sprint',
    status: 'active',
    where: condition(sql`not ${cardOfSprint(sql`c.status not in ('done', 'cancelled')`)}`),
    call: async (ctx, found) => {
      const facts = await sprintFacts(ctx, found)
      if (firstRefusal(judgeSprintGates(facts, ['scenarios'])) === null)
        return { operation: 'move_sprint', arguments: { status: 'review' } }
      const scoped = new Set(facts.sprint.test_scenario_ids)
      const first = facts.scenarios.find(({ id, status }) => scoped.has(id) && status !== 'passed')
      return recordingOf(ctx, facts.sprint.spec_id, first)
    },
  },
  {
    kind: 'sprint_next',
    about: 'sprint',
    status: 'review',
    call: async (ctx, found) => {
      const facts = await sprintFacts(ctx, found)
      const [unproven] = unprovenIn(facts)
      if (unproven !== undefined && firstRefusal(judgeSprintGates(facts, ['evidence'])) !== null)
        return recordingOf(
          ctx,
          facts.sprint.spec_id,
          facts.scenarios.find(({ id }) => id === unproven.scenario_id),
        )
      const missing = facts.proof?.missing ?? []
      if (missing.length > 0)
        return {
          operation: 'get_proof',
          arguments: { entity_type: 'sprint', entity_id: facts.sprint.id },
          data: {
            gate: 'proof',
            first: missing.slice(0, 3).map(({ id, title }) => ({ gate: 'proof', id, label: title })),
          },
        }
      return firstRefusal(judgeSprintGates(facts, ['evaluation'])) === null
        ? { operation: 'move_sprint', arguments: { status: 'closed' } }
        : null
    },
  },
]

const openSprints = hot<{ card: string }, Pick<SprintsTable, 'id' | 'status' | 'created_at'>>(
  (_, param) =>
    sql<Pick<SprintsTable, 'id' | 'status' | 'created_at'>>`select s.id, s.status, s.created_at
      from sprints s join cards c on c.spec_id = s.spec_id and ${sameBoard('c', 's')}
      where c.id = ${param('card')} and s.archived = 0 and s.status in ('active', 'draft')`,
)

/** The sprint that a card should be in: an active one before a draft, the oldest first. */
async function sprintFor({ db }: Context, card: string): Promise<Pick<SprintsTable, 'id' | 'status'> | undefined> {
  const found = await openSprints(db, { card })
  const [first] = found.toSorted((a, b) => byAscii(a.status, b.status) || byAscii(a.created_at, b.created_at))
  return first
}

/**
 * A card without a usable sprint, although its spec has sprints: it has none, or one that is over. It should go into
 * one that is not over, otherwise into a new one.
 */
const unplanned = (status: string): Step => ({
  kind: 'card_unplanned',
  about: 'card',
  status,
  where: condition(sql`exists (select 1 from sprints s where s.spec_id = r.spec_id and s.archived = 0
      and s.status <> 'cancelled')
    and coalesce((select own.status from sprints own where own.id = r.sprint_id and own.archived = 0), '')
      not in ('active', 'draft')`),
  call: async (ctx, { record }) => {
    const sprint = await sprintFor(ctx, record)
    const card_ids = [record]
    if (sprint !== undefined) {
      const { id: sprint_id, status } = sprint
      return { operation: 'assign_sprint_tasks', status, arguments: { sprint_id, card_ids } }
    }
    const { board_id, spec_id } = await readCard(ctx.db, record)
    return { operation: 'create_sprint', arguments: { board_id, spec_id, card_ids }, data: { asks: ['title'] } }
  },
})

const cards: readonly Step[] = [
  ...(['not_started', 'started', 'in_progress'] as const).map(unplanned),
  { kind: 'card_passed', about: 'card', status: 'validation', call: finishing(false) },
  { kind: 'card_approval', about: 'card', status: 'validation', call: finishing(true) },
  {
    kind: 'card_validation',
    about: 'card',
    status: 'validation',
    where: condition(sql`exists (select 1 from boards where boards.id = r.board_id
      and (${separatesReview} or ${validatedByPersons}))`),
    call: validatingAgain,
  },
]

/**
 * The validation of a card whose own one succeeded and does not count, because its board has changed since who approves
 * (people 1.3, work 4).
 */
async function validatingAgain(ctx: Context, { record }: WaitingItem): Promise<StepCall | null> {
  const facts = await readMoveFacts(ctx, record)
  const { card, settings, claim, finishers } = facts
  if (card.card_type === 'test' || facts.activeOutcome !== 'success' || isApproved(facts)) return null
  if (claim !== null && claim.agent_id !== ctx.caller.id) return null
  const could =
    (await couldApprove(settings.approval_card_validation, ctx.caller, async () => finishers)) &&
    (!settings.require_separate_reviewer || isSeparate(finishers, ctx.caller.id))
  const { card_type, priority } = card
  return could ? { operation: 'submit_task_validation', data: { card_type, priority } } : null
}

/**
 * The move to `done` of a card for which nothing else is left to do.
 * @param personal whether only people may finish it: it then waits for their approval (people 1.3)
 */
function finishing(personal: boolean): CallOf {
  return async (ctx, { record }) => {
    const facts = await readMoveFacts(ctx, record)
    const { approval_done } = facts.settings
    if ((approval_done === 'person') !== personal) return null
    const to = 'done'
    const gates = judgeCardGates({ facts, to, report: {} }).filter(({ gate }) => gate !== 'report')
    const isFinished = firstRefusal(gates) === null
    return isFinished && (await couldApprove(approval_done, ctx.caller, async () => facts.finishers))
      ? { operation: 'move_card', arguments: { target_status: to }, data: { asks: asksOf({ facts, to }) } }
      : null
  }
}

const exhausted = hot<{ boards: string; now: string }, WaitingItem>(
  (_, param) =>
    sql<WaitingItem>`select ${foundColumns('c', { source: 'c.id', record: 'c.id', since: sql`c.updated_at` })} from cards c
      where ${onBoards('c', param('boards'))} and c.archived = 0 and c.status not in ('done', 'cancelled', 'on_hold')
        and (c.failed_attempts > 0 or c.lost_attempts > 0 or ${lostNow(param('now'))}) and ${usedUp(param('now'))}`,
)

/** The members of a board who decide on a card without any attempts left: if any persons may, only they (crew 4.6). */
export function decidersOnAttempts(members: readonly Member[]): readonly Member[] {
  const may = members.filter(({ access }) => mayCall(access, { operation: 'allow_attempts' }))
  const persons = may.filter(({ kind }) => kind === 'person')
  return persons.length > 0 ? persons : may
}

/** Cards without any attempts left (crew 4.6). */
const exhaustedCards: Source = {
  kind: 'card_attempts',
  about: 'card',
  isOpen: access => access.allows('CARDS_READ') && mayCall(access, { operation: 'allow_attempts' }),
  find: async (ctx, boards) => {
    const found = await exhausted(ctx.db, { boards: idsOf(boards), now: ctx.now() })
    if (ctx.caller.kind === 'person') return found
    const own = new Set<string>()
    for (const board of new Set(found.map(item => item.board)))
      if (decidersOnAttempts(await membersOn(ctx, board)).some(({ id }) => id === ctx.caller.id)) own.add(board)
    return found.filter(item => own.has(item.board))
  },
  show: async (_, page) =>
    new Map(
      page.map(({ source, record }) => [
        source,
        { actor_id: null, data: null, operation: 'allow_attempts', arguments: { card_id: record, more: 1 } },
      ]),
    ),
}

/** The states in the table of hand-overs that end when somebody makes a call (crew 4.2). */
export const handOverSteps: readonly Step[] = [...planning, ...specs, ...sprints, ...cards]

/** Records that wait for their next step. */
export const handOvers: readonly Source[] = [...handOverSteps.map(stepSource), exhaustedCards]
