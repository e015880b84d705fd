import {
  type AnyOperation,
  halvesIn,
  type InputOf,
  issueItem,
  parseInput,
  parseInputInPieces,
  unknownMembers,
} from '@specboard/contract'
import {
  argumentsOf,
  type Call,
  type Caller,
  DigestedFile,
  DomainError,
  type Following,
  hashOf,
  type IncomingFile,
  isClosedTo,
  maxUnauthorizedBytes,
  type NextAction,
  type Service,
  suggestsNextActions,
} from '@specboard/domain'
import { operationAnswer } from './answers.ts'
import { readFormFiles, sendsForm, withArgumentsOfBody } from './form-files.ts'
import type { HttpContext, Report } from './http-env.ts'
import { noBody, type ReadBody, readJsonBody } from './json-body.ts'
import { inPieces } from './limits/large-bodies.ts'
import type { UploadSlots } from './limits/upload-slots.ts'
import { readParams, readQuery } from './query.ts'
import { invalidInput, refusalOf, refuse } from './refusals.ts'
import { tagsOf } from './tags.ts'
import { readUpload } from './upload.ts'

/**
 * Creates the handler of an operation: it reads the input (422 with one item for each fault), performs the call and
 * answers. The key has already been checked. The validators of `@hono/zod-openapi` are not used, because they stop at
 * the first part of a request with a fault.
 */
export const operationHandler = (
  service: Pick<Service, 'perform' | 'check' | 'confirm' | 'refuseUnread' | 'withIds' | 'nextActions'>,
  operation: AnyOperation,
  uploads: UploadSlots,
  report: Report,
) => {
  const reads = operation.method === 'GET'
  return async (c: HttpContext): Promise<Response> => {
    const { req } = c
    const caller = c.get('caller') ?? null
    const body = operation.body === undefined ? noBody : await bodyOf(service, operation, c, caller)
    const query = readQuery(operation, req.url)
    const raw = {
      params: readParams(operation, req.param()),
      ...withArgumentsOfBody(operation, { query, body: body.ok ? body.value : undefined }),
    }
    const parsed =
      body.ok && body.large ? await inPieces(parseInputInPieces(operation, raw)) : parseInput(operation, raw)
    // Callers that may not upload are refused before anything of the file is awaited (walls 4).
    const halves = halvesIn(req.url)
    if (operation.kind === 'upload' && parsed.ok && halves.length === 0)
      await service.check({ operation, input: parsed.input, caller })
    const upload = operation.kind === 'upload' ? await readUpload(c) : undefined
    const idempotencyKey = operation.method === 'POST' ? req.header('idempotency-key') : undefined
    const isRefused = idempotencyKey !== undefined && !isIdempotencyKey(idempotencyKey)
    if (!body.ok || upload?.ok === false || !parsed.ok || isRefused || halves.length > 0) {
      if (caller !== null) await service.confirm(caller)
      return refuse(
        c,
        invalidInput([
          ...halves,
          ...(body.ok ? [] : body.items),
          ...(upload === undefined || upload.ok ? [] : upload.items),
          ...(parsed.ok ? [] : parsed.items.filter(item => body.ok || item.loc[0] !== 'body')),
          ...(isRefused
            ? [issueItem(['header', 'Idempotency-Key'], 'value_error', 'must have 1 to 255 characters')]
            : []),
        ]),
      )
    }
    const { input } = parsed
    const callWith = (file?: IncomingFile, digested?: DigestedFile): Call => ({
      operation,
      input: file === undefined ? input : { ...input, file },
      caller,
      ifMatch: reads ? undefined : tagsOf(req.header('if-match')),
      idempotency:
        idempotencyKey === undefined ? undefined : { key: idempotencyKey, bodyHash: hashOf(raw.body), file: digested },
      signal: () => req.raw.signal,
      following: operation.kind === 'events' ? followingOf(c) : undefined,
      origin: c.get('origin'),
      asText: true,
    })
    const withFile = (file: IncomingFile) => {
      const digested = idempotencyKey === undefined ? undefined : new DigestedFile(file)
      return service.perform(callWith(digested ?? file, digested))
    }
    const receiver = { agentId: caller?.id, boardId: boardNamed(input) }
    const call = callWith()
    try {
      const performed = upload === undefined ? service.perform(call) : uploads.run(receiver, upload.file, withFile)
      return listUnknownMembers(await operationAnswer(c, operation, await performed, report), operation, raw.body)
    } catch (error) {
      if (!(error instanceof DomainError) || call.caller === null || !suggestsNextActions(error)) throw error
      return refuse(c, refusalOf(error, await adviceOn(service, call, call.caller, error)))
    }
  }
}

/** The body of a call. If no board lets the caller make the call, only a little of it is read (walls 4, rule 2). */
async function bodyOf(
  service: Pick<Service, 'refuseUnread'>,
  operation: AnyOperation,
  c: HttpContext,
  caller: Caller | null,
): Promise<ReadBody> {
  const read = (limit?: number) =>
    operation.kind === 'files' && sendsForm(c) ? readFormFiles(c, limit) : readJsonBody(operation, c, limit)
  if (caller === null || !isClosedTo(caller.base, operation)) return read()
  try {
    return await read(maxUnauthorizedBytes)
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'PAYLOAD_TOO_LARGE') throw error
    const input = { params: readParams(operation, c.req.param()), query: {}, body: {} }
    return service.refuseUnread({ operation, input, caller })
  }
}

/** Lists the ignored members inside items in a header of the answer (crew 1.6). */
function listUnknownMembers(answered: Response, operation: AnyOperation, body: unknown): Response {
  const unknown = body === undefined ? [] : unknownMembers(operation, body)
  const names = unknown.map(({ loc }) => loc.join('.')).filter(name => /^[\w.-]{1,200}$/.test(name))
  if (names.length > 0) answered.headers.set('x-unknown-members', names.join(', '))
  return answered
}

/** What the caller of a refused call can do about it, with ids in place of the references that it sent. */
async function adviceOn(
  service: Pick<Service, 'withIds' | 'nextActions'>,
  call: Call,
  caller: Caller,
  { detail }: DomainError,
): Promise<NextAction[]> {
  const { operation, input } = await service.withIds(call)
  return service.nextActions({ caller }, { operation: operation.name, args: argumentsOf(input), detail })
}

/** The board that an upload is for; undefined for one that creates a board. */
function boardNamed(input: InputOf<AnyOperation>): string | undefined {
  const { board_id } = argumentsOf(input)
  return typeof board_id === 'string' ? board_id : undefined
}

const isIdempotencyKey = (key: string): boolean => key !== '' && key.length <= 255

/** The caller gets an open event stream unless it accepts only JSON. */
function followingOf({ req }: HttpContext): Following {
  const accept = req.header('accept') ?? ''
  const live = !accept.includes('application/json') || accept.includes('text/event-stream')
  return { live, lastEventId: req.header('last-event-id') }
}
