import type { JSONRPCRequest } from '@modelcontextprotocol/server'
import { addressAt } from '@specboard/client/address'
import { isObject, type JsonObject } from '../calls/lean-value.ts'
import { isModern } from '../endpoint/message.ts'
import { protocolVersions } from '../server/protocol-versions.ts'
import type { ViewRequest } from '../tools/view.ts'

/** Where messages are forwarded to. */
export interface UpstreamOptions {
  /** Sends a request to the service, over the network or in this process; rejects when nothing answers. */
  readonly send: (request: Request) => Promise<Response>
  /** Base address of the service. */
  readonly url: string
  /** If undefined, nothing is sent. */
  readonly key: string | undefined
  readonly view: ViewRequest
}

/** Nothing answered at the address. */
export class Unreachable extends Error {}

/** There is no key to call the service with. */
export class KeyMissing extends Error {}

/** A session that the service no longer knows. */
class SessionLost extends Error {}

const parameters: Readonly<Record<keyof ViewRequest, string>> = {
  toolsets: 'toolsets',
  tools: 'tools',
  exclude: 'exclude',
  readonly: 'readonly',
  boardId: 'board_id',
  schemas: 'schemas',
  answers: 'answers',
  confirm: 'confirm',
}

/** Forwards messages to the endpoint of the service and returns its answers. */
export class Upstream {
  readonly #options: UpstreamOptions
  readonly #endpoint: string
  #session: string | undefined
  /** The parameters of the client's handshake, for repeating it. */
  #handshake: JsonObject | undefined
  /** The client's handshake, which everything of its generation waits for; never rejects. */
  #shaken: Promise<void> | undefined
  /** The repeated handshake in progress. */
  #restoring: Promise<void> | undefined
  readonly #end: AbortSignal

  /** @param end aborts once nothing more is to be sent */
  constructor(options: UpstreamOptions, end: AbortSignal) {
    this.#options = options
    this.#end = end
    const query = new URLSearchParams()
    for (const [name, parameter] of Object.entries(parameters)) {
      const value = options.view[name as keyof ViewRequest]
      if (value !== undefined && value !== '') query.set(parameter, value)
    }
    this.#endpoint = addressAt(options.url, query.size === 0 ? '/mcp' : `/mcp?${query}`).href
  }

  /**
   * Forwards a request; each message of the answer goes to `receive`.
   * @throws Unreachable, KeyMissing
   */
  async request(message: JSONRPCRequest, receive: (message: JsonObject) => void, signal: AbortSignal): Promise<void> {
    if (isModern(message, null)) return this.#exchange(message, modernHeaders(message), receive, signal)
    if (message.method === 'initialize') {
      this.#handshake = { ...message.params }
      this.#session = undefined
      const handshake = this.#exchange(message, {}, receive, signal)
      this.#shaken = handshake.catch(() => {})
      return handshake
    }
    await this.#restore()
    const session = this.#session
    try {
      await this.#exchange(message, this.#sessionHeaders(), receive, signal)
    } catch (error) {
      if (!(error instanceof SessionLost)) throw error
      if (this.#session === session) this.#session = undefined
      await this.#restore()
      await this.#exchange(message, this.#sessionHeaders(), receive, signal)
    }
  }

  /** Forwards a notification, which is not answered. */
  async notify(message: JsonObject): Promise<void> {
    try {
      await this.#restore()
      const response = await this.#post(message, this.#sessionHeaders(), this.#end)
      await response.body?.cancel()
    } catch {
      // A notification that does not get through is lost, as the protocol permits.
    }
  }

  /** Listens to the service's notifications for the session, until the stream ends. */
  async listen(receive: (message: JsonObject) => void, signal: AbortSignal): Promise<void> {
    await this.#shaken
    if (this.#session === undefined) return
    const headers = { ...this.#headers(), ...this.#sessionHeaders(), accept: 'text/event-stream' }
    const response = await this.#send(new Request(this.#endpoint, { headers, signal }))
    if (response.ok && response.body !== null) await eachEvent(response.body, receive)
    else await response.body?.cancel()
  }

  /** Sends a request to the API of the service. */
  api = (path: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${this.#options.key}`)
    return this.#send(new Request(addressAt(this.#options.url, path), { ...init, headers }))
  }

  /**
   * Opens a new session for a client whose handshake came before the service lost its sessions; all waiting requests
   * share it.
   */
  async #restore(): Promise<void> {
    await this.#shaken
    if (this.#session !== undefined || this.#handshake === undefined) return
    const message = { jsonrpc: '2.0' as const, id: 'handshake', method: 'initialize', params: this.#handshake }
    this.#restoring ??= this.#exchange(message, {}, () => {}, this.#end).finally(() => {
      this.#restoring = undefined
    })
    await this.#restoring
  }

  async #exchange(
    message: JSONRPCRequest,
    headers: Readonly<Record<string, string>>,
    receive: (message: JsonObject) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const response = await this.#post(message, headers, signal)
    const session = response.headers.get('mcp-session-id')
    if (session !== null && message.method === 'initialize') this.#session = session
    const type = response.headers.get('content-type') ?? ''
    if (type.includes('text/event-stream') && response.body !== null) return eachEvent(response.body, receive)
    if (!type.includes('json')) return response.body?.cancel()
    const body: unknown = await response.json()
    if (!isObject(body)) return
    if (response.status === 404 && 'mcp-session-id' in headers) throw new SessionLost()
    if (body.jsonrpc === '2.0') receive({ ...body, id: message.id })
    else receive(refusedMessage(message, response.status, body.detail))
  }

  #post(message: object, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> {
    const all = {
      ...this.#headers(),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    }
    const init = { method: 'POST', headers: all, body: JSON.stringify(message), signal }
    return this.#send(new Request(this.#endpoint, init))
  }

  #headers(): Record<string, string> {
    return { authorization: `Bearer ${this.#options.key}` }
  }

  #sessionHeaders(): Record<string, string> {
    return this.#session === undefined ? {} : { 'mcp-session-id': this.#session }
  }

  async #send(request: Request): Promise<Response> {
    if (this.#options.key === undefined) throw new KeyMissing()
    try {
      return await this.#options.send(request)
    } catch (error) {
      if (request.signal.aborted) throw error
      throw new Unreachable(error instanceof Error ? error.message : String(error))
    }
  }
}

/** The headers that repeat the body in the generation without a handshake. */
export function modernHeaders({ method, params }: JSONRPCRequest): Record<string, string> {
  const { name, uri, _meta } = (params ?? {}) as { name?: unknown; uri?: unknown; _meta?: JsonObject }
  const named = typeof name === 'string' ? name : typeof uri === 'string' ? uri : undefined
  return {
    'mcp-protocol-version': String(_meta?.['io.modelcontextprotocol/protocolVersion'] ?? protocolVersions.modern[0]),
    'mcp-method': method,
    ...(named !== undefined && { 'mcp-name': headerValue(named) }),
  }
}

/** A text in a form that a header can carry. */
const headerValue = (text: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`

/** A refusal before JSON-RPC was involved: for a tool call an error result, otherwise a JSON-RPC error. */
function refusedMessage({ id, method }: JSONRPCRequest, status: number, detail: unknown): JsonObject {
  if (method === 'tools/call') {
    const content = [{ type: 'text', text: JSON.stringify({ status, detail }) }]
    return { jsonrpc: '2.0', id, result: { content, isError: true } }
  }
  const message =
    isObject(detail) && typeof detail.message === 'string' ? detail.message : `The server answered ${status}.`
  return { jsonrpc: '2.0', id, error: { code: -32603, message, data: { status, detail } } }
}

/** Passes on the message of every event of a stream. */
async function eachEvent(body: ReadableStream<Uint8Array>, receive: (message: JsonObject) => void): Promise<void> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const data = text
        .slice(0, end)
        .split('\n')
        .filter(line => line.startsWith('data:'))
        .map(line => line.slice(5).trimStart())
        .join('\n')
      text = text.slice(end + 2)
      if (data === '') continue
      const message: unknown = JSON.parse(data)
      if (isObject(message)) receive(message)
    }
  }
}
