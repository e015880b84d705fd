import { isReading, issueItem, issueItems, operationByName } from '@specboard/contract'
import { DomainError, myPermissions } from '@specboard/domain'
import { z } from 'zod'
import type { CallContext } from '../calls/call-context.ts'
import { callOperation } from '../calls/call-operation.ts'
import { fileCeiling, underCeiling } from '../calls/ceiling.ts'
import { isOpen } from '../calls/is-open.ts'
import type { JsonObject } from '../calls/lean-value.ts'
import { type Arguments, unknownArguments } from '../calls/read-arguments.ts'
import { type ErrorValue, invalidArguments, type Outcome, refused, succeeded } from '../calls/results.ts'
import { tolerant } from '../calls/tolerance.ts'
import { nearest, shownName } from '../nearest.ts'
import { Fields } from '../tools/field-paths.ts'
import { metaDefinitions } from '../tools/meta-definitions.ts'
import { readsOnly, toolNamed } from '../tools/view.ts'
import { CallArguments } from './call-arguments.ts'
import { confirmingOf } from './confirmed-run.ts'
import { FindOperations, findOperations } from './find-operations.ts'
import { RunOperations, runOperations } from './run-operations.ts'

const CallOperation = z.object({
  name: z.string(),
  arguments: CallArguments.transform(args => args ?? {}),
  fields: Fields.optional(),
})

const ReadContext = z.object({ uri: z.string() })

/** Reads a resource as text; throws NOT_FOUND for one that is not visible. */
export type ReadText = (uri: string) => Promise<JsonObject>

/** Runs a meta tool (mcp 11). */
export async function callMeta(
  context: CallContext,
  name: string,
  args: Arguments,
  readText: ReadText,
): Promise<Outcome> {
  const { view } = context
  if (view.excluded.has(name)) return byView('EXCLUDED', `${name} is excluded from this connection.`)
  if (view.readonly && !readsOnly(name)) return byView('READ_ONLY', `${name} writes, and this connection only reads.`)
  switch (name) {
    case 'find_operations':
      return parsed(name, FindOperations, args, async found =>
        json(findOperations(found, operation => isOpen(context, operation.name), view.boardId !== undefined)),
      )
    case 'read_operation':
      return parsed(name, CallOperation, args, call => onlyReading(context, call))
    case 'call_operation':
      return parsed(name, CallOperation, args, call => byName(context, call.name, withFields(call)))
    case 'run_operations':
      return parsed(name, RunOperations, args, async calls => {
        const { abort, progress } = context
        const room = context.service.environment.answerCharacters
        const callContext = { ...context, progress: () => {} }
        const confirming = await confirmingOf(context, calls, (how, name, callArgs) =>
          byName({ ...callContext, confirming: how }, name, callArgs),
        )
        const call = (name: string, callArgs: Arguments) => byName({ ...callContext, confirming }, name, callArgs)
        const run = await runOperations(calls, call, progress, abort, room)
        if (!run.stopped) return json(run.value)
        return { ok: false, error: run.cutOff ? { ...timedOut(abort), ...run.value } : run.value }
      })
    default:
      return parsed(name, ReadContext, args, async ({ uri }) => json(await readText(uri)))
  }
}

const json = (value: JsonObject): Outcome => succeeded(underCeiling(value, fileCeiling))

const byView = (code: 'EXCLUDED' | 'READ_ONLY', message: string): Outcome =>
  refused(new DomainError(code, message), [myPermissions])

/**
 * The error of a run that was cut off: the calls made so far stand, because each was a transaction of its own.
 * @throws Cancelled when the caller cancelled
 */
function timedOut({ reason }: AbortSignal): Pick<ErrorValue, 'status' | 'detail'> {
  if (!(reason instanceof DomainError)) throw reason
  const message =
    'The run took too long: results has the calls that were made; the rest were not run. Run fewer at once.'
  return { status: reason.status, detail: { ...reason.detail, message } }
}

const withFields = ({ arguments: args, fields }: z.output<typeof CallOperation>): Arguments =>
  fields === undefined ? args : { ...args, fields }

/**
 * Runs an operation by the name that a caller gave; for an unknown name, answers a validation item with the nearest
 * names.
 */
async function byName(context: CallContext, name: string, args: Arguments): Promise<Outcome> {
  const operation = operationByName.get(toolNamed(name.trim()) ?? '')
  if (operation !== undefined) return callOperation(context, operation, args)
  const expected = nearest(name, operationByName.keys(), 3)
  const hint = expected.length === 0 ? 'find_operations finds them' : `did you mean ${expected.join(' or ')}?`
  return invalidArguments([{ ...issueItem(['name'], 'enum', `no operation '${shownName(name)}'; ${hint}`), expected }])
}

async function onlyReading(context: CallContext, call: z.output<typeof CallOperation>): Promise<Outcome> {
  const operation = operationByName.get(toolNamed(call.name.trim()) ?? '')
  if (operation === undefined || isReading(operation)) return byName(context, call.name, withFields(call))
  const error = new DomainError('READ_ONLY', `${operation.name} writes; read_operation runs only operations that read.`)
  return refused(error, [
    {
      name: 'call_operation',
      arguments: { name: operation.name, arguments: call.arguments },
      reason: 'runs any operation',
    },
  ])
}

/**
 * Checks arguments with the usual tolerance (mcp 8): null is absent, common mistakes are repaired, unknown names are
 * noted.
 */
async function parsed<Schema extends z.ZodObject>(
  name: string,
  schema: Schema,
  args: Arguments,
  run: (parsed: z.output<Schema>) => Promise<Outcome>,
): Promise<Outcome> {
  const { properties } = metaDefinitions.get(name)!.inputSchema
  const input = Object.fromEntries(
    Object.entries(args)
      .filter(([key, value]) => value !== null && Object.hasOwn(properties, key))
      .map(([key, value]) => [
        key,
        tolerant({ name: key, kind: properties[key]!.type, itemKind: properties[key]!.items?.type }, value, true),
      ]),
  )
  const unknown = Object.keys(args).filter(key => !Object.hasOwn(properties, key))
  const result = schema.safeParse(input)
  if (result.success) return warned(await run(result.data), unknownArguments(unknown, Object.keys(properties)))
  return invalidArguments(
    issueItems('body', schema, result.error.issues, input).map(({ loc, ...item }) => ({
      loc: loc.slice(1),
      ...item,
      ...(item.ctx?.expected !== undefined && { expected: item.ctx.expected }),
    })),
  )
}

/** A success that also warns about ignored arguments. */
function warned(outcome: Outcome, warnings: readonly string[]): Outcome {
  if (!outcome.ok || warnings.length === 0) return outcome
  const { value } = outcome.written
  const before = Array.isArray(value._warnings) ? value._warnings : []
  const whole = { ...value, _warnings: [...before, ...warnings] }
  return { ...outcome, written: { value: whole, text: JSON.stringify(whole) } }
}
