import { isReading, operationByName, pathNames } from '@specboard/contract'
import { type Call, DomainError } from '@specboard/domain'
import type { CallContext } from './call-context.ts'
import { isOpen } from './is-open.ts'
import {
  type Candidate,
  candidates,
  instead,
  type Missing,
  maxActions,
  type NextAction,
  type Refused,
  shown,
} from './next-actions.ts'
import { readArguments } from './read-arguments.ts'
import { boundArguments } from './view-bounds.ts'

/** Refusals of a call that lacks arguments which its caller adds. */
const incomplete: ReadonlySet<string> = new Set(['VALIDATION_ERROR', 'CONCLUSION_REQUIRED', 'TEST_EVIDENCE_REQUIRED'])

/** Whether the caller could take an action now: neither its rights nor a state or gate would refuse it (mcp 9.5). */
async function isTakeable(context: CallContext, { name, arguments: args, probe }: Candidate): Promise<boolean> {
  if (!isOpen(context, name)) return false
  const operation = operationByName.get(name)!
  const given = boundArguments(context.view, operation, { ...probe, ...args })
  const read = readArguments(operation, given)
  const names = new Set(pathNames(operation.path))
  const rest = Object.fromEntries(Object.entries(given).filter(([argument]) => !names.has(argument)))
  const partial = { params: given, query: {}, body: rest }
  const call: Call = {
    operation,
    input: (read.ok ? read.input : partial) as Call['input'],
    caller: context.caller,
    within: context.view.boardId,
    origin: 'mcp',
  }
  if ((await context.service.foresee(call)) !== undefined) return false
  if (!read.ok || isReading(operation) || operation.kind !== undefined) return true
  const refusal = await context.service.tryOut(call)
  return refusal === undefined || incomplete.has(refusal.code)
}

async function takeable(context: CallContext, among: readonly Candidate[]): Promise<NextAction[]> {
  const found: NextAction[] = []
  for (const candidate of among) {
    if (found.length === maxActions) break
    if (await isTakeable(context, candidate).catch(refusedAsUnknown)) found.push(shown(candidate))
  }
  return found
}

/** A record that the caller does not see is no action of its own. */
function refusedAsUnknown(error: unknown): false {
  if (error instanceof DomainError) return false
  throw error
}

/**
 * What a caller can do about a refusal, at most three (mcp 9.5): calls that would not be refused in their turn, or
 * reads of the records in question where it can take none of those that resolve the refusal.
 * @param missing what is known of the record that a 404 did not find
 */
export async function nextActions(context: CallContext, refused: Refused, missing?: Missing): Promise<NextAction[]> {
  const found = await takeable(context, candidates(refused, missing))
  return found.length > 0 ? found : (await takeable(context, instead(refused))).slice(0, 1)
}
