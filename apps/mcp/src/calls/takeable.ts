import { type AnyOperation, isReading, operationByName, type Permission, pathNames } from '@specboard/contract'
import { type Call, DomainError, type RecordType } from '@specboard/domain'
import type { CallContext } from './call-context.ts'
import { isOpen } from './is-open.ts'
import {
  type Candidate,
  candidates,
  getOperations,
  instead,
  type Missing,
  maxActions,
  type NextAction,
  type Refused,
  shown,
} from './next-actions.ts'
import { type Arguments, readArguments } from './read-arguments.ts'
import { boundArguments } from './view-bounds.ts'

/** Refusals of a call that lacks arguments which its caller adds. */
const incomplete: ReadonlySet<string> = new Set(['VALIDATION_ERROR', 'CONCLUSION_REQUIRED', 'TEST_EVIDENCE_REQUIRED'])

/** What keeps the caller from an action: nothing, its rights, or the refusal of a state or gate (mcp 9.5). */
type Obstacle = undefined | 'rights' | DomainError

async function obstacleTo(context: CallContext, { name, arguments: args, probe }: Candidate): Promise<Obstacle> {
  if (!isOpen(context, name)) return 'rights'
  const operation = operationByName.get(name)!
  const given = boundArguments(context.view, operation, { ...probe, ...args })
  const read = readArguments(operation, given)
  const names = new Set(pathNames(operation.path))
  if ([...names].some(name => given[name] === undefined)) return mayReach(context, operation, given)
  const rest = Object.fromEntries(Object.entries(given).filter(([argument]) => !names.has(argument)))
  const partial = { params: given, query: {}, body: rest }
  const call: Call = {
    operation,
    input: (read.ok ? read.input : partial) as Call['input'],
    caller: context.caller,
    within: context.view.boardId,
    origin: 'mcp',
  }
  if ((await context.service.foresee(call)) !== undefined) return 'rights'
  if (!read.ok || isReading(operation) || operation.kind !== undefined) return undefined
  const refusal = await context.service.tryOut(call)
  return refusal === undefined || incomplete.has(refusal.code) ? undefined : refusal
}

/** What keeps the caller from an action on a record to which the caller adds another: only its rights can be told. */
async function mayReach({ service, caller, view }: CallContext, { permission }: AnyOperation, given: Arguments) {
  const known = Object.entries(getOperations).find(([, { argument }]) => given[argument] !== undefined)
  if (known === undefined) return 'rights'
  const [type, { argument }] = known
  const found = await service.read(caller, ctx => ctx.reach(type as RecordType, String(given[argument])), view.boardId)
  return found.access.allows(permission as Permission) ? undefined : 'rights'
}

/** The most actions of one refusal that are tried out. */
const mostTries = 12

/**
 * The actions that the caller could take now. One that a state or gate would refuse gives way to what resolves that
 * refusal, so that the way to a status several gates away begins with the first of them.
 */
async function takeable(context: CallContext, among: readonly Candidate[]): Promise<NextAction[]> {
  const found: NextAction[] = []
  const seen = new Set<string>()
  const waiting = [...among]
  while (waiting.length > 0 && found.length < maxActions && seen.size < mostTries) {
    const candidate = waiting.shift()!
    const key = JSON.stringify([candidate.name, candidate.arguments])
    if (seen.has(key)) continue
    seen.add(key)
    const obstacle = await obstacleTo(context, candidate).catch(refusedAsUnknown)
    if (obstacle === undefined) found.push(shown(candidate))
    else if (obstacle !== 'rights' && obstacle.status === 409)
      waiting.unshift(...candidates(await refusedCall(context, candidate, obstacle)))
  }
  return found
}

const refusedCall = (context: CallContext, { name, arguments: args }: Candidate, { detail }: DomainError) =>
  withBoard(context, { operation: name, args, detail: { ...detail } })

/** A refused call with the board of its spec, which what covers the spec needs. */
async function withBoard({ service, caller, view }: CallContext, refused: Refused): Promise<Refused> {
  const { spec_id } = refused.args
  if (refused.detail.error !== 'COVERAGE_REQUIRED' || typeof spec_id !== 'string') return refused
  const { record } = await service.read(caller, ctx => ctx.reach('spec', spec_id), view.boardId)
  return { ...refused, board: record.board_id }
}

/** A record that the caller does not see is no action of its own. */
function refusedAsUnknown(error: unknown): 'rights' {
  if (error instanceof DomainError) return 'rights'
  throw error
}

/**
 * What a caller can do about a refusal, at most three (mcp 9.5): calls that would not be refused in their turn, or
 * reads of the records in question where it can take none of those that resolve the refusal.
 * @param missing what is known of the record that a 404 did not find
 */
export async function nextActions(context: CallContext, refused: Refused, missing?: Missing): Promise<NextAction[]> {
  const found = await takeable(context, candidates(await withBoard(context, refused), missing))
  return found.length > 0 ? found : (await takeable(context, instead(refused))).slice(0, 1)
}
