import type {
  AuthInfo,
  JSONRPCMessage,
  JSONRPCRequest,
  MessageExtraInfo,
  Transport,
} from '@modelcontextprotocol/server'
import { EventStream } from './event-stream.ts'

/** Code of an unknown resource in the handshake revisions; the library speaks of it as invalid parameters. */
const resourceNotFound = -32002

/**
 * Carries one request of a handshake revision to a server and its answer back: as one JSON body, or as an
 * event stream when progress is asked for.
 */
export class Exchange implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void
  readonly #request: JSONRPCRequest
  readonly #headers: Readonly<Record<string, string>>
  readonly #streams: boolean
  #answer: (response: Response) => void = () => {}
  #stream: EventStream | undefined

  constructor(
    request: JSONRPCRequest,
    options: { readonly streams: boolean; readonly headers: Readonly<Record<string, string>> },
  ) {
    this.#request = request
    this.#streams = options.streams
    this.#headers = options.headers
  }

  async start(): Promise<void> {}

  /** Delivers the request to the connected server and answers what it says. */
  run(authInfo?: AuthInfo): Promise<Response> {
    const { promise, resolve } = Promise.withResolvers<Response>()
    this.#answer = resolve
    if (this.#streams) {
      this.#stream = new EventStream(() => void this.close(), this.#headers)
      resolve(this.#stream.response)
    }
    this.onmessage?.(this.#request, authInfo === undefined ? undefined : { authInfo })
    return promise
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const isAnswer = !('method' in message)
    if (this.#stream !== undefined) {
      this.#stream.send(isAnswer ? this.#worded(message) : message)
      if (isAnswer) this.#stream.close()
      return
    }
    if (!isAnswer) return
    const headers = { 'content-type': 'application/json', ...this.#headers }
    this.#answer(new Response(JSON.stringify(this.#worded(message)), { status: 200, headers }))
    void this.close()
  }

  /** Tells the server that the caller gave up, and ends without an answer. */
  cancel(reason?: string): void {
    const params = { requestId: this.#request.id, ...(reason !== undefined && { reason }) }
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
    this.#stream?.close()
    this.#answer(new Response(null, { status: 202, headers: this.#headers }))
    void this.close()
  }

  async close(): Promise<void> {
    this.onclose?.()
    delete this.onclose
  }

  #worded(message: JSONRPCMessage): JSONRPCMessage {
    if (this.#request.method !== 'resources/read' || !('error' in message)) return message
    const { error } = message
    const unknown = typeof error.data === 'object' && error.data !== null && 'uri' in error.data
    return unknown ? { ...message, error: { ...error, code: resourceNotFound } } : message
  }
}
