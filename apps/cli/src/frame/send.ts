import { addressAt } from '@specboard/client/address'
import { type JsonResponse, requestTo } from '@specboard/client/calls'
import { ask } from './ask.ts'
import { unreachable } from './failure.ts'
import type { KeyedTarget } from './target.ts'

/** What is called: an operation, or its route. */
interface Calling {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly kind?: string | undefined
}

/** The input of an operation, in its parts. */
export interface OperationInput {
  readonly params: object
  readonly query: object
  readonly body: unknown
}

/** The service refused a call; the answer's JSON says why. */
export class RefusalError extends Error {
  readonly status: number
  readonly answer: unknown
  /** When to try again, if the answer says so, ms. */
  readonly retryAfterMs: number | undefined

  constructor(operation: string, status: number, answer: unknown, retryAfterMs?: number) {
    super(`${operation} answered ${status}: ${reasonOf(answer)}`)
    this.status = status
    this.answer = answer
    this.retryAfterMs = retryAfterMs
  }
}

/** The fault in an answer: its message, or the faults of a 422, each with its location. */
function reasonOf(answer: unknown): string {
  const { detail } = (answer ?? {}) as { detail?: { message?: string } | readonly Fault[] }
  if (Array.isArray(detail)) return detail.map(({ loc, msg }: Fault) => `${loc.join('.')}: ${msg}`).join('; ')
  return (detail as { message?: string } | undefined)?.message ?? JSON.stringify(detail ?? answer)
}

interface Fault {
  readonly loc: readonly (string | number)[]
  readonly msg: string
}

/** Options of a call besides its input. */
export interface SendOptions {
  readonly file?: File | undefined
  /** For an operation that accepts a list of files. */
  readonly files?: readonly File[]
  readonly signal?: AbortSignal
  /** For a stream, whether it stays open; otherwise it ends with the current events. */
  readonly live?: boolean
}

/** A service, and the key for calling it; public operations need none. */
type Recipient = Pick<KeyedTarget, 'url'> & { readonly key: string | undefined }

/**
 * Sends a call of an operation to a service.
 * @throws Refused for an unsuccessful answer; Failure if nobody answers
 */
export async function send(
  { url, key }: Recipient,
  operation: Calling,
  input: OperationInput,
  { file, files = file === undefined ? [] : [file], signal, live = false }: SendOptions = {},
): Promise<Response> {
  const isJson = files.length === 0 && input.body !== undefined
  const response = await fetch(addressFor(url, operation, input), {
    method: operation.method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(operation.kind === 'events' && { accept: live ? 'text/event-stream' : 'application/json' }),
      ...(isJson && { 'content-type': 'application/json' }),
    },
    body: files.length === 0 ? (isJson ? JSON.stringify(input.body) : null) : formOf(files),
    signal: signal ?? null,
  }).catch(error => {
    throw signal?.aborted ? error : unreachable(url, error)
  })
  if (!response.ok) throw await refusalOf(operation, response)
  return response
}

/**
 * Sends a call of an operation that takes and answers JSON, and reads the answer.
 * @throws Refused for an unsuccessful answer; Failure if nobody answers
 */
export async function sendJson(
  { url, key }: Recipient,
  operation: Calling,
  input: OperationInput,
  signal: AbortSignal | null = null,
): Promise<unknown> {
  const request = {
    method: operation.method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(input.body !== undefined && { 'content-type': 'application/json' }),
    },
    body: input.body === undefined ? null : JSON.stringify(input.body),
    signal,
  }
  const response = await ask(addressFor(url, operation, input), request).catch(error => {
    throw signal?.aborted ? error : unreachable(url, error)
  })
  if (!response.ok) throw await refusalOf(operation, response)
  return response.json()
}

function addressFor(url: string, { path: template }: Calling, { params, query }: OperationInput): URL {
  const { path } = requestTo({ path: template, query: [], hasBody: false }, { ...params })
  const address = addressAt(url, path)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) address.searchParams.append(name, String(value))
  return address
}

async function refusalOf({ name }: Calling, response: JsonResponse): Promise<RefusalError> {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const answer = await response.json().catch(() => null)
  return new RefusalError(name, response.status, answer, Number.isNaN(seconds) ? undefined : seconds * 1_000)
}

function formOf(files: readonly File[]): FormData {
  const form = new FormData()
  for (const file of files) form.append('file', file)
  return form
}
