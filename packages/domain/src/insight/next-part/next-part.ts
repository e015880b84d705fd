/** Who acts next on a record, once somebody has completed their part (crew 4.1). */
import { pathNames } from '@specboard/contract'
import { sql } from 'kysely'
import { readMoveFacts } from '../../delivery/cards/gates/facts.ts'
import { gatesOfMove as judgeCardGates } from '../../delivery/cards/gates/gates.ts'
import { needsRework } from '../../delivery/cards/rework.ts'
import { areUsedUp } from '../../delivery/claims/attempts.ts'
import { findClaim } from '../../delivery/claims/store.ts'
import { carriersOn } from '../../delivery/work/carried.ts'
import type { Member } from '../../kernel/access/holders.ts'
import { Context } from '../../kernel/context.ts'
import { firstRefusal } from '../../kernel/gates.ts'
import type { Call, NextPart } from '../../kernel/service/call.ts'
import { mayCall } from '../../kernel/service/may-call.ts'
import { hot } from '../../schema/hot.ts'
import type { OwnerType } from '../../schema/tables.ts'
import { decidersOnAttempts, handOverSteps } from '../inbox/sources/hand-overs.ts'
import { membersOn } from '../inbox/sources/keepers.ts'
import { isOutgrown } from '../inbox/sources/outgrown.ts'
import {
  callFor,
  recordOf,
  type Step,
  type StepCall,
  type StepRecord,
  settlingOf,
  shownCallFor,
  type tableOf,
} from '../inbox/sources/steps.ts'
import { apart, verdicts } from '../inbox/sources/verdicts.ts'
import { type NextCall, nextPartOf } from './words.ts'

const steps = [...handOverSteps, ...verdicts].map(step => ({ step, find: recordOf(step) }))

interface RecordRow {
  board_id: string
  status: string
  archived: 0 | 1
}

const storedIn = (table: (typeof tableOf)[StepRecord]) =>
  hot<{ id: string }, RecordRow>(
    (_, param) => sql<RecordRow>`select board_id, status, archived from ${sql.table(table)} where id = ${param('id')}`,
  )

const stored: Readonly<Record<StepRecord, ReturnType<typeof storedIn>>> = {
  ideation: storedIn('ideations'),
  refinement: storedIn('refinements'),
  spec: storedIn('specs'),
  sprint: storedIn('sprints'),
  card: storedIn('cards'),
}

interface QuestionRow {
  board_id: string
  owner_type: OwnerType
  owner_id: string
  asked_by: string
  answered_at: string | null
}

const questionById = hot<{ id: string }, QuestionRow>((db, param) =>
  db
    .selectFrom('questions')
    .select(['board_id', 'owner_type', 'owner_id', 'asked_by', 'answered_at'])
    .where('id', '=', param('id')),
)

/** Calls that complete somebody's part. */
const ending = /^(?:move|submit|evaluate)_|^release_claim$/

const aboutQuestions = /^(?:ask|answer)_/

/** Whether the answer of a call may say who acts next; for any other call, nothing has to be read. */
export const mayHandOver = ({ operation }: Pick<Call, 'operation'>): boolean =>
  operation.method !== 'GET' &&
  (ending.test(operation.name) || aboutQuestions.test(operation.name) || pathNames(operation.path).includes('card_id'))

/** Who acts next on what a call has changed; null if nobody does, or the record waits for something else. */
export async function nextPart(
  ctx: Context,
  { operation: { name }, input }: Pick<Call, 'operation' | 'input'>,
  body: unknown,
): Promise<NextPart | null> {
  const params: Readonly<Record<string, unknown>> = input.params
  const card = params.card_id
  const nextCall = typeof card === 'string' && name !== 'promote_card' ? await promotion(ctx, card) : null
  if (nextCall !== null) return nextPartOf(ctx, nextCall)
  if (aboutQuestions.test(name)) return ofQuestion(ctx, (body as { readonly id?: unknown } | undefined)?.id)
  if (!ending.test(name)) return null
  for (const about of ['card', 'sprint', 'spec', 'refinement', 'ideation'] as const) {
    const id = params[`${about}_id`]
    if (typeof id === 'string') return ofRecord(ctx, about, id)
  }
  return null
}

/** The caller should promote a small change that has outgrown its board's limits (crew 6.6). */
async function promotion(ctx: Context, card: string): Promise<NextCall | null> {
  const [row] = await stored.card(ctx.db, { id: card })
  if (row === undefined || row.archived === 1 || !(await isOutgrown(ctx, card))) return null
  const members = await membersOn(ctx, row.board_id)
  const may = members.filter(({ id, access }) => id === ctx.caller.id && mayCall(access, { operation: 'promote_card' }))
  return may.length === 0 ? null : { about: 'card', id: card, call: { operation: 'promote_card' }, holders: may }
}

async function ofRecord(ctx: Context, about: StepRecord, id: string): Promise<NextPart | null> {
  const [row] = await stored[about](ctx.db, { id })
  if (row === undefined || row.archived === 1) return null
  const members = await membersOn(ctx, row.board_id)
  const nextCall =
    (about === 'card' && (await ofCard(ctx, id, row, members))) || (await ofSteps(ctx, about, id, members))
  if (nextCall !== null) return nextPartOf(ctx, nextCall)
  if (about !== 'card' || row.status !== 'done') return null
  const { spec } = await readMoveFacts(ctx, id)
  return spec === null ? null : ofRecord(ctx, 'spec', spec.id)
}

/** The first step in the table of hand-overs that a record waits for. */
async function ofSteps(
  ctx: Context,
  about: StepRecord,
  id: string,
  members: readonly Member[],
): Promise<NextCall | null> {
  for (const { step, find } of steps) {
    if (step.about !== about) continue
    const [found] = await find(ctx.db, { id })
    if (found === undefined) continue
    const own = await shownCallFor(ctx, step, found)
    const call = own ?? (await callForOthers(ctx, step, found, members))
    if (call === null) continue
    const may = members.filter(
      ({ id: member, access }) => mayCall(access, settlingOf(step, call)) && (own !== null || member !== ctx.caller.id),
    )
    return { about, id, call, holders: await apart(ctx, call, id, may) }
  }
  return null
}

/** How many others are checked when a step is not open to the caller. */
const maxAsked = 5

/**
 * The call of a step, determined for somebody else: the caller may have taken part in what has to be approved, and then
 * has no such call.
 */
async function callForOthers(
  ctx: Context,
  step: Step,
  found: Parameters<typeof callFor>[2],
  members: readonly Member[],
): Promise<StepCall | null> {
  if (typeof step.call !== 'function') return null
  for (const { id, name, kind } of members.filter(member => member.id !== ctx.caller.id).slice(0, maxAsked)) {
    const nowhere = { target: null, way: null, records: {} }
    const theirs = new Context(ctx.db, { ...ctx.caller, id, name, kind }, nowhere, ctx.environment, ctx)
    const call = await callFor(theirs, step, found)
    if (call !== null) return call
  }
  return null
}

/** What a card waits for besides the steps of the table: a worker, its rework, a verdict, another attempt. */
async function ofCard(
  ctx: Context,
  id: string,
  { status }: RecordRow,
  members: readonly Member[],
): Promise<NextCall | null> {
  if (status === 'validation') return ofValidation(ctx, id, members)
  if (status !== 'not_started' && status !== 'started' && status !== 'in_progress') return null
  const claim = await findClaim(ctx.db, id, ctx.now())
  const named = (agent: string | null) => members.filter(member => member.id === agent)
  const call: StepCall = { operation: 'claim_card' }
  if (claim !== null) {
    // Whoever holds a card continues: no part is complete.
    if (claim.agent_id === ctx.caller.id) return null
    return { about: 'card', id, call, holders: named(claim.agent_id), byName: true, way: 'list_my_inbox' }
  }
  const facts = await readMoveFacts(ctx, id)
  if (areUsedUp(facts.attempts)) {
    const more: StepCall = { operation: 'allow_attempts', arguments: { more: 1 } }
    return { about: 'card', id, call: more, holders: decidersOnAttempts(members) }
  }
  const { reserved_for, reserved_until } = facts.card
  if (reserved_for !== null && reserved_until !== null && reserved_until > ctx.now())
    return { about: 'card', id, call, holders: named(reserved_for), byName: true, way: 'claim_next_card' }
  if (facts.openDependencies.length > 0) return null
  if (status === 'not_started' && firstRefusal(judgeCardGates({ facts, to: 'started', report: {} })) !== null)
    return null
  const carriedBy = carriersOn(ctx.db, facts.card.board_id)
  const may: Member[] = []
  for (const member of members)
    if (member.access.allows('CARDS_CLAIM') && (await carriedBy(member.access))[status]?.(facts.card) !== false)
      may.push(member)
  // Whoever gives a card back is not asked to take it again, unless nobody else would.
  const others = may.filter(member => member.id !== ctx.caller.id && !member.isOwner)
  return { about: 'card', id, call, holders: others.length > 0 ? others : may, way: 'claim_next_card' }
}

async function ofValidation(ctx: Context, id: string, members: readonly Member[]): Promise<NextCall | null> {
  const facts = await readMoveFacts(ctx, id)
  const { card, activeOutcome } = facts
  if (needsRework(facts)) {
    const call: StepCall = { operation: 'move_card', arguments: { target_status: 'in_progress' } }
    const worker = members.filter(member => member.id === card.moved_by)
    return { about: 'card', id, call, holders: worker, byName: true }
  }
  if (card.card_type === 'test' || activeOutcome === 'success') return null
  const call: StepCall = { operation: 'submit_task_validation' }
  const may = members.filter(({ access }) => mayCall(access, { operation: call.operation, status: 'validation' }))
  return { about: 'card', id, call, holders: await apart(ctx, call, id, may) }
}

const answers = {
  ideation: 'answer_ideation_question',
  refinement: 'answer_refinement_question',
  spec: 'answer_spec_question',
  card: 'answer_card_question',
} as const

/** An open question is for anybody who may answer it except its author; an answered one for its author. */
async function ofQuestion(ctx: Context, id: unknown): Promise<NextPart | null> {
  if (typeof id !== 'string') return null
  const [question] = await questionById(ctx.db, { id })
  if (question === undefined) return null
  const { board_id, owner_type, owner_id, asked_by, answered_at } = question
  const members = await membersOn(ctx, board_id)
  const call: StepCall = { operation: answers[owner_type], arguments: { qa_id: id }, data: { asks: ['answer'] } }
  if (answered_at !== null) {
    const asker = members.filter(member => member.id === asked_by && asked_by !== ctx.caller.id)
    return asker.length === 0
      ? null
      : nextPartOf(ctx, { about: owner_type, id: owner_id, call, holders: asker, byName: true })
  }
  const may = members.filter(member => member.id !== asked_by && mayCall(member.access, { operation: call.operation }))
  return nextPartOf(ctx, { about: owner_type, id: owner_id, call, holders: may })
}
