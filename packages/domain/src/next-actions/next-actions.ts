import type { RecordType } from '../kernel/access/records.ts'
import type { Context } from '../kernel/context.ts'
import type { FindNextActions, NextAction, RefusedCall } from '../kernel/next-action.ts'
import type { Visibility } from '../kernel/service/composition.ts'
import { recordAmong } from '../kernel/service/other-kind.ts'
import { parsePartReference } from '../lib/reference.ts'
import {
  actionsFor,
  getOperations,
  handOver,
  type MissingRecord,
  maxActions,
  otherWork,
  readsInstead,
  waysToTest,
} from './actions-for.ts'
import { Obstacles } from './obstacles.ts'

/** Maximum number of actions for one refusal that are examined. */
const maxTries = 12

/**
 * The actions that the caller could take now. One that a state or gate would refuse is replaced with what resolves that
 * refusal, so that the path to a status several gates away begins with the first of them.
 */
async function takeable(ctx: Context, obstacles: Obstacles, among: readonly NextAction[]): Promise<NextAction[]> {
  const found: NextAction[] = []
  const seen = new Set<string>()
  const waiting = [...among]
  while (waiting.length > 0 && found.length < maxActions && seen.size < maxTries) {
    const candidate = waiting.shift()!
    const key = JSON.stringify([candidate.name, candidate.arguments])
    if (seen.has(key)) continue
    seen.add(key)
    const obstacle = await obstacles.to(candidate)
    if (obstacle === undefined) found.push(await obstacles.withReport(candidate))
    else if (typeof obstacle === 'object' && obstacle.status === 409) {
      const refused = { operation: candidate.name, args: candidate.arguments, detail: obstacle.detail }
      waiting.unshift(...actionsFor(await withBoard(ctx, refused)))
    }
  }
  return found
}

/** The actions that the caller's rights allow. */
async function permitted(obstacles: Obstacles, among: readonly NextAction[]): Promise<NextAction[]> {
  const found: NextAction[] = []
  for (const candidate of among) if ((await obstacles.to(candidate)) !== 'rights') found.push(candidate)
  return found.slice(0, maxActions)
}

/** A refused call with the board of its spec, which is needed to cover the spec. */
async function withBoard(ctx: Context, refused: RefusedCall): Promise<RefusedCall> {
  const { spec_id } = refused.args
  if (refused.detail.error !== 'COVERAGE_REQUIRED' || typeof spec_id !== 'string') return refused
  const { record } = await ctx.reach('spec', spec_id)
  return { ...refused, board: record.board_id }
}

/**
 * What is known about a record that was not found: what its id names instead, and the board that the caller works on.
 */
async function missingRecord(ctx: Context, refused: RefusedCall): Promise<MissingRecord> {
  const { args, detail } = refused
  const { caller, within } = ctx
  const name = recordIn(String(detail.entity_id))
  const found = await recordAmong(ctx.db, { agentId: caller.id, within }, otherTypes(detail), name)
  const ways = await ctx.ways()
  const board = ways.find(way => way.boardId === args.board_id) ?? (ways.length === 1 ? ways[0] : undefined)
  return {
    actualType: found?.type,
    actualId: found?.id,
    isOfPart: name !== detail.entity_id,
    board: board?.boardId ?? (await boardOfNamed(ctx, refused)),
  }
}

/** The board of a record that the call names beside the one that was not found; undefined if it names none. */
async function boardOfNamed(ctx: Context, { args, detail }: RefusedCall): Promise<string | undefined> {
  for (const [type, { argument }] of Object.entries(getOperations)) {
    const id = args[argument]
    if (typeof id !== 'string' || id === detail.entity_id) continue
    const found = await ctx.reach(type as RecordType, id).catch(() => undefined)
    if (found !== undefined) return found.record.board_id
  }
  return undefined
}

/** The reference of the record in a part's reference; any other text unchanged. */
function recordIn(text: string): string {
  const part = parsePartReference(text)
  return part === undefined ? text : `${part.key}-${part.number}`
}

/** The types that the record with this id may have instead: the one in the refusal, otherwise all others. */
function otherTypes({ entity_type, is }: RefusedCall['detail']): readonly RecordType[] {
  const actual = (is as { readonly entity_type: RecordType } | undefined)?.entity_type
  if (actual !== undefined && Object.hasOwn(getOperations, actual)) return [actual]
  return Object.keys(getOperations).filter(type => type !== entity_type) as RecordType[]
}

/**
 * The move that hands a refused card over to those who may finish it; none if the card is already there, or cannot go
 * there.
 */
async function handedOver(obstacles: Obstacles, refused: RefusedCall): Promise<NextAction[]> {
  const move = handOver(refused)
  if (move === undefined) return []
  return (await obstacles.to(move)) === undefined ? [await obstacles.withReport(move)] : []
}

/** The board on which a refused call's caller continues with other work; undefined if it works on none. */
async function boardOfWorker(
  ctx: Context,
  { card_id, spec_id, board_id }: RefusedCall['args'],
): Promise<string | undefined> {
  const named = [['card', card_id] as const, ['spec', spec_id] as const, ['board', board_id] as const]
  const [type, id] = named.find(([, value]) => typeof value === 'string') ?? []
  if (type === undefined || ctx.caller.kind === 'person') return undefined
  const { record, access } = await ctx.reach(type, String(id))
  return access.allows('CARDS_CLAIM') ? record.board_id : undefined
}

/** What a caller can still do after a call that requires a person; never the same call (people 1.4). */
async function actionsWithoutPerson(ctx: Context, obstacles: Obstacles, refused: RefusedCall): Promise<NextAction[]> {
  const moves = await handedOver(obstacles, refused)
  if (moves.length > 0) return moves
  const board = await boardOfWorker(ctx, refused.args)
  return board === undefined ? [] : takeable(ctx, obstacles, otherWork(board))
}

/** The calls that get a bug past its gate and that the caller may make (crew 6.4). */
async function testRemedies(ctx: Context, obstacles: Obstacles, refused: RefusedCall): Promise<NextAction[]> {
  const { operation, args, detail } = refused
  const { access } = await ctx.reach('card', String(args.card_id))
  const ways = waysToTest(detail.missing).filter(({ asks }) => asks === undefined || access.allows(asks))
  const calls = ways.map(({ name, reason }) => ({ name, arguments: { card_id: args.card_id }, reason }))
  const found = await takeable(ctx, obstacles, calls)
  const isCheckAsked = operation === 'move_card' && Array.isArray(detail.missing) && detail.missing.includes('check')
  const move = { name: operation, arguments: args, reason: 'add check {how, test, result: passed}' }
  return [...found, ...(isCheckAsked ? [move] : [])].slice(0, maxActions)
}

/**
 * What a caller can do about a refusal, at most three actions (mcp 9.5, board 6): calls that would not be refused in
 * turn, or a read of the record in question if the caller can make none of those that resolve the refusal.
 */
export async function nextActions(ctx: Context, obstacles: Obstacles, refused: RefusedCall): Promise<NextAction[]> {
  const { error } = refused.detail
  if (error === 'PERSON_REQUIRED') return actionsWithoutPerson(ctx, obstacles, refused)
  if (error === 'REVIEWER_NOT_SEPARATE') {
    const moves = await handedOver(obstacles, refused)
    if (moves.length > 0) return moves
  }
  if (error === 'TEST_TASK_REQUIRED' && typeof refused.args.card_id === 'string') {
    const ways = await testRemedies(ctx, obstacles, refused)
    if (ways.length > 0) return ways
  }
  // The same call is suggested even if it may be refused for another reason, which the caller then learns (crew 2.4).
  if (error === 'PRECONDITION_FAILED') return permitted(obstacles, actionsFor(refused))
  const missing = error === 'NOT_FOUND' ? await missingRecord(ctx, refused) : undefined
  const found = await takeable(ctx, obstacles, actionsFor(await withBoard(ctx, refused), missing))
  return found.length > 0 ? found : (await takeable(ctx, obstacles, readsInstead(refused))).slice(0, 1)
}

/** Finds next actions, with the features' checks for records without a board. */
export const nextActionsFinder =
  (visibility: Visibility): FindNextActions =>
  (ctx, refused, isOpen) =>
    nextActions(ctx, new Obstacles(ctx, visibility, isOpen), refused)
