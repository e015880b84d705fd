import { type AnyOperation, type IssueItem, isReading } from '@specboard/contract'
import {
  type Answer,
  argumentsOf,
  boardRights,
  type Call,
  type Caller,
  ConfirmationWanted,
  DomainError,
  heldCards,
  InvalidInput,
  type NextAction,
  namesOf,
  namesSeen,
  refusalOfError,
  siblingFile,
  suggestsNextActions,
} from '@specboard/domain'
import { inPieces } from '@specboard/http'
import { requestAddress, requestPath } from '../tools/api-path.ts'
import { asAgentLines } from './agent-lines.ts'
import { type AnswerShape, answerValue } from './answer-value.ts'
import type { CallContext } from './call-context.ts'
import { CancelledError } from './cancelled.ts'
import { fileCeiling, underCeiling } from './ceiling.ts'
import { confirmationOf, confirmedUpload, Question, questionOf } from './confirming.ts'
import { downloadValue, readFile } from './download.ts'
import { isOpen } from './is-open.ts'
import { idsInMessage, leanRefusal, withNamesInMessage } from './lean-refusal.ts'
import { type JsonObject, leanValue } from './lean-value.ts'
import { permissionDigest, type Rights } from './permission-digest.ts'
import { progressActions } from './progress-actions.ts'
import { type Arguments, readArgumentsInPieces } from './read-arguments.ts'
import { readingOn } from './read-on.ts'
import { type ShapingFacts, writtenFrom } from './reduce-answer.ts'
import { repeatOf } from './repeat.ts'
import { failed, invalidArguments, type Outcome, refused, succeeded } from './results.ts'
import { uploadSource } from './upload.ts'
import { ticketFaults, ticketValue } from './upload-ticket.ts'
import { boundArguments, refuseByView, withBoundBoard } from './view-bounds.ts'
import { idsIn, named, withNames } from './with-names.ts'
import { workOfClaim } from './work-of-claim.ts'

/**
 * Runs an operation as a tool: takes flattened arguments, answers a lean value or a refusal with next actions.
 * @throws Cancelled when the caller cancelled
 */
export async function callOperation(context: CallContext, operation: AnyOperation, args: Arguments): Promise<Outcome> {
  let understood: Arguments = args
  try {
    refuseByView(context.view, operation)
    const { service, caller, view } = context
    const boundArgs = await withBoundBoard(service, caller, view, args)
    const read = await inPieces(readArgumentsInPieces(operation, boundArguments(view, operation, boundArgs)))
    if (!read.ok) return invalidArguments(read.items)
    const found = await service.withIds({
      operation,
      input: read.input as Call['input'],
      caller: operation.permission === 'public' ? null : caller,
      abort: context.abort,
      within: view.boardId,
      origin: 'mcp',
      confirmation: confirmationOf(context, operation),
    })
    const idempotency = repeatOf(operation, found.input, read.options, service.environment.repeatMinutes)
    const call: Call = idempotency === undefined ? found : { ...found, idempotency }
    const { input } = call
    understood = argumentsOf(input)
    const next = progressActions(operation.name, understood, name => isOpen(context, name))
    const hint = operation.name === 'list_boards' ? noBoards(caller) : undefined
    const ceiling = service.environment.answerCharacters
    const leanFor = view.lean ? caller.id : undefined
    const facts: ShapingFacts = {
      options: read.options,
      given: args,
      warnings: read.warnings,
      leanFor,
      ceiling,
      next,
      hint,
    }
    const shaping: AnswerShape = { operation, input, ...facts }
    if (operation.kind === 'upload' || (operation.kind === 'files' && read.options.ticket))
      return await namedIf(
        context,
        await uploadOutcome(context, call, shaping, requestPath(operation, input.params)),
        args,
      )
    const performed = await context.service.perform({ ...call, reduce: { module: reduceModule, parameters: facts } })
    const answer = await asAgentLines(context, await digested(context, performed, shaping), shaping)
    if (answer.file !== undefined)
      return await fileOutcome(context, answer.file, shaping, requestAddress(operation, input))
    const work = read.options.fields === undefined ? await workOfClaim(context, operation, answer.body) : undefined
    const outcome = await namedIf(context, shaped(answer, { ...shaping, work }), isReading(operation) ? {} : args)
    const smaller = smallerPage(operation, input.query, outcome)
    return smaller === undefined ? outcome : await callOperation(context, operation, { ...args, limit: smaller })
  } catch (error) {
    const cause = causeOf(error, context.abort)
    const refusal = refusalOfError(cause) ?? cause
    if (refusal instanceof CancelledError || refusal instanceof Question) throw refusal
    if (refusal instanceof ConfirmationWanted) throw questionOf(operation, refusal)
    if (refusal instanceof InvalidInput) return invalidArguments(refusal.items.map(asArgument))
    if (!(refusal instanceof DomainError)) {
      context.onFault(refusal)
      return failed(context.requestId)
    }
    // The link already exists, as requested (crew 9.10).
    if (refusal.code === 'DEPENDENCY_EXISTS') return namedIf(context, repeatedLink(understood))
    const advice = suggestsNextActions(refusal) ? await adviceFor(context, operation, understood, refusal) : []
    return namedIf(context, refused(refusal, advice))
  }
}

/** The answer, or a digest of it if the tool answers with one by default (mcp 9.3). */
async function digested({ service, caller, view }: CallContext, answer: Answer, { operation, options }: AnswerShape) {
  if (operation.name !== 'get_my_permissions' || options.full || options.fields !== undefined) return answer
  const rights = answer.body as Rights
  const read = async (ctx: Parameters<typeof boardRights>[0]) =>
    permissionDigest(rights, rights.board_id === null ? await boardRights(ctx) : undefined, await heldCards(ctx))
  return { ...answer, body: await service.read(caller, read, view.boardId) }
}

/** What a caller who sees no board should do next: create one if it may, otherwise ask for access (crew 9.3). */
const noBoards = ({ id, base }: Caller): string =>
  base.allowed.has('BOARDS_CREATE')
    ? 'You see no board. Create one with create_board.'
    : `You see no board. Ask for a grant (grant_board_access) or a share (create_board_share) for agent ${id}.`

/** A validation item for a body that the service built, with the argument in place of its member (mcp 9.4). */
const asArgument = (item: IssueItem): IssueItem =>
  item.loc[0] === 'body' && item.loc.length > 1 ? { ...item, loc: item.loc.slice(1) } : item

/** Why a call failed: after an abort, any error except a refusal is a consequence of the abort. */
const causeOf = (error: unknown, abort: AbortSignal): unknown =>
  abort.aborted && !(error instanceof DomainError || error instanceof InvalidInput) ? abort.reason : error

/** Stores the file of an upload, or issues a ticket that says where to send it. */
async function uploadOutcome(context: CallContext, call: Call, shaping: AnswerShape, path: string): Promise<Outcome> {
  const { service, caller, issueTicket } = context
  const { options } = shaping
  if (options.ticket) {
    const faults = ticketFaults(options, issueTicket !== undefined)
    if (issueTicket === undefined || faults.length > 0) return invalidArguments(faults)
    await service.check(call)
    await confirmedUpload(context, call, async () => undefined)
    const issued = await issueTicket({
      agentId: caller.id,
      operation: call.operation.name,
      params: call.input.params,
      query: call.input.query,
      filename: options.filename ?? 'report',
      mimeType: options.mime_type ?? null,
    })
    return whole(ticketValue(issued), shaping)
  }
  const source = uploadSource(options, path)
  if (!source.ok) return invalidArguments(source.items)
  const { file } = source
  const trial = { ...call.input, query: { ...call.input.query, dry_run: true }, file } as Call['input']
  const rehearse = async () => (await service.perform({ ...call, idempotency: undefined, input: trial })).body
  const confirmed = await confirmedUpload(context, call, rehearse)
  return shaped(await service.perform({ ...confirmed, input: { ...call.input, file } }), shaping)
}

/** The answer of a dependency that is added again: that of the first call, without its id and time. */
function repeatedLink({ card_id, depends_on_id }: Arguments): Outcome {
  const value = { card_id, depends_on_id, repeated: true }
  return succeeded(underCeiling(value, fileCeiling))
}

/** An outcome whose value is not truncated: half a link is useless. */
function whole(value: JsonObject, { warnings }: AnswerShape): Outcome {
  const warned = warnings.length === 0 ? value : { ...value, _warnings: warnings }
  return succeeded(underCeiling(warned, fileCeiling))
}

const shaped = (answer: Answer, shaping: AnswerShape): Outcome =>
  succeeded(
    answer.json === undefined
      ? answerValue(answer, shaping)
      : writtenFrom(answer.json, value => readingOn({ ...shaping, value })),
  )

/** An outcome in which a lean view shows references in place of ids (crew 8.1). */
async function namedIf(
  { service, caller, view }: CallContext,
  outcome: Outcome,
  args: Arguments = {},
): Promise<Outcome> {
  if (!view.lean) return outcome
  if (!outcome.ok) {
    const error = leanRefusal(outcome.error as JsonObject)
    const ids = [...idsIn(error), ...idsInMessage(error)]
    if (ids.length === 0) return { ...outcome, error }
    const names = await service.read(caller, ctx => namesSeen(ctx, ids), view.boardId)
    return { ...outcome, error: withNamesInMessage(named(error, names) as JsonObject, names) }
  }
  const ids = [...idsIn(outcome.written.value)]
  if (ids.length === 0) return outcome
  const names = await service.read(caller, ({ db }) => namesOf(db, ids), view.boardId)
  return { ...outcome, written: withNames(outcome.written, names, args) }
}

const reduceModule = siblingFile(import.meta.url, 'reduce-answer').href

/**
 * The limit to retry with when a page of a cursor list was too large: if the page were cut short, its cursor
 * would skip the items that were dropped.
 */
function smallerPage(operation: AnyOperation, query: object, outcome: Outcome): number | undefined {
  if (!('cursor' in operation.query) || !outcome.ok || outcome.written.value.truncated !== true) return undefined
  const { limit } = query as { limit?: number }
  return limit === undefined || limit < 2 ? undefined : Math.floor(limit / 2)
}

async function fileOutcome(
  context: CallContext,
  file: NonNullable<Answer['file']>,
  { operation, input, options, warnings }: AnswerShape,
  url: string,
): Promise<Outcome> {
  const whole = await readFile(file, { progress: operation.name.startsWith('export_') ? context.progress : undefined })
  const params: Readonly<Record<string, unknown>> = input.params
  const attachment = operation.name === 'download_attachment'
  const uri = attachment
    ? `specboard://attachments/${params.board_id}/${params.card_id}/${params.attachment_id}`
    : `${context.origin}${url}`
  const head = attachment ? { id: params.attachment_id } : {}
  const { value, content } = downloadValue(whole, options, { head, url, uri, attachment })
  const warned = warnings.length === 0 ? value : { ...value, _warnings: warnings }
  return succeeded(underCeiling(leanValue(warned) as JsonObject, fileCeiling), content)
}

/** What the caller can do about a refusal, limited to the operations of its view. */
function adviceFor(
  context: CallContext,
  { name }: AnyOperation,
  args: Arguments,
  { detail }: DomainError,
): Promise<NextAction[]> {
  const { service, caller, view } = context
  const who = { caller, within: view.boardId, origin: 'mcp' } as const
  return service.nextActions(who, { operation: name, args, detail }, ({ name: other }) => isOpen(context, other))
}
