import type { AnyOperation } from '@specboard/contract'
import { requestPath } from '@specboard/mcp'
import type { KeyedTarget } from './target.ts'

/** The input of an operation, in its parts. */
export interface OperationInput {
  readonly params: object
  readonly query: object
  readonly body: unknown
}

/** The service refused a call; the answer's JSON says why. */
export class Refused extends Error {
  readonly status: number
  readonly answer: unknown

  constructor(operation: string, status: number, answer: unknown) {
    super(`${operation} answered ${status}: ${reasonOf(answer)}`)
    this.status = status
    this.answer = answer
  }
}

function reasonOf(answer: unknown): string {
  const { detail } = (answer ?? {}) as { detail?: { message?: string } }
  return detail?.message ?? JSON.stringify(detail ?? answer)
}

/** What belongs to a call beside its input. */
export interface Sending {
  readonly file?: File | undefined
  readonly signal?: AbortSignal
  /** Of a stream, whether it stays open; otherwise what there is now. */
  readonly live?: boolean
}

/**
 * Sends a call of an operation to a service.
 * @throws Refused for an answer that is no success; the system's error where nobody answers
 */
export async function send(
  { url, key }: KeyedTarget,
  operation: AnyOperation,
  input: OperationInput,
  { file, signal, live = false }: Sending = {},
): Promise<Response> {
  const address = new URL(requestPath(operation, input.params as Record<string, unknown>), url)
  for (const [name, value] of Object.entries(input.query))
    if (value !== undefined && value !== null) address.searchParams.append(name, String(value))
  const isJson = file === undefined && input.body !== undefined
  const response = await fetch(address, {
    method: operation.method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(operation.kind === 'events' && { accept: live ? 'text/event-stream' : 'application/json' }),
      ...(isJson && { 'content-type': 'application/json' }),
    },
    body: file === undefined ? (isJson ? JSON.stringify(input.body) : null) : formOf(file),
    signal: signal ?? null,
  }).catch(error => {
    throw signal?.aborted
      ? error
      : new Error(`${url} does not answer. Start "specboard serve", or set SPECBOARD_URL.`, { cause: error })
  })
  if (!response.ok) throw new Refused(operation.name, response.status, await response.json().catch(() => null))
  return response
}

function formOf(file: File): FormData {
  const form = new FormData()
  form.set('file', file)
  return form
}
