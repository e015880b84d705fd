import type { JSONRPCMessage, JSONRPCRequest, MessageExtraInfo, Transport } from '@modelcontextprotocol/server'
import { EventStream } from './event-stream.ts'

/** Code of an unknown resource in the handshake revisions; the library reports invalid parameters instead. */
const resourceNotFound = -32002

/** How to send an answer: as JSON, as an event stream, or as JSON unless a notification precedes it. */
export type AnswerMode = 'json' | 'stream' | 'auto'

/** Carries one request of a handshake revision to a server, and the answer back. */
export class Exchange implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void
  readonly #request: JSONRPCRequest
  readonly #headers: Readonly<Record<string, string>>
  readonly #mode: AnswerMode
  #answer: (response: Response) => void = () => {}
  #stream: EventStream | undefined

  constructor(request: JSONRPCRequest, mode: AnswerMode, headers: Readonly<Record<string, string>> = {}) {
    this.#request = request
    this.#mode = mode
    this.#headers = headers
  }

  async start(): Promise<void> {}

  /** Delivers the request to the connected server; resolves to its answer. */
  run(): Promise<Response> {
    const { promise, resolve } = Promise.withResolvers<Response>()
    this.#answer = resolve
    if (this.#mode === 'stream') this.#openStream()
    this.onmessage?.(this.#request)
    return promise
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const isAnswer = !('method' in message)
    if (!isAnswer && this.#mode === 'auto' && this.#stream === undefined) this.#openStream()
    if (this.#stream !== undefined) {
      this.#stream.send(isAnswer ? this.#worded(message) : message)
      if (!isAnswer) return
      this.#stream.close()
      void this.close()
    } else if (isAnswer) {
      const headers = { 'content-type': 'application/json', ...this.#headers }
      this.#answer(new Response(JSON.stringify(this.#worded(message)), { status: 200, headers }))
      void this.close()
    }
  }

  /** Tells the server that the caller cancelled, and ends without an answer. */
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

  #openStream(): void {
    // Leaving the stream does not cancel the call: in these revisions only a notification does (mcp 14.4).
    this.#stream = new EventStream(() => {}, this.#headers)
    this.#answer(this.#stream.response)
  }

  #worded(message: JSONRPCMessage): JSONRPCMessage {
    if (this.#request.method !== 'resources/read' || !('error' in message)) return message
    const { error } = message
    const unknown = typeof error.data === 'object' && error.data !== null && 'uri' in error.data
    return unknown ? { ...message, error: { ...error, code: resourceNotFound } } : message
  }
}
