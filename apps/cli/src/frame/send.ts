import type { AnyOperation } from '@specboard/contract'
import { requestPath } from '@specboard/mcp'
import { unreachable } from './failure.ts'
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

/** What an answer says is wrong: its message, or the faults of a 422, each with where it is. */
function reasonOf(answer: unknown): string {
  const { detail } = (answer ?? {}) as { detail?: { message?: string } | readonly Fault[] }
  if (Array.isArray(detail)) return detail.map(({ loc, msg }: Fault) => `${loc.join('.')}: ${msg}`).join('; ')
  return (detail as { message?: string } | undefined)?.message ?? JSON.stringify(detail ?? answer)
}

interface Fault {
  readonly loc: readonly (string | number)[]
  readonly msg: string
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
 * @throws Refused for an answer that is no success; Failure where nobody answers
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
    throw signal?.aborted ? error : unreachable(url, error)
  })
  if (!response.ok) throw new Refused(operation.name, response.status, await response.json().catch(() => null))
  return response
}

function formOf(file: File): FormData {
  const form = new FormData()
  form.set('file', file)
  return form
}
