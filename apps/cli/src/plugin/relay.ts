/** Passes messages of MCP between a client on stdio and the service (harness 2). */
import type { IncomingMessage, RequestOptions } from 'node:http'
import { requester } from '../frame/requester.ts'
import type { KnownLists } from './known-lists.ts'
import {
  isObject,
  type Message,
  offlineAnswer,
  type Request,
  type RequestFailure,
  refusal,
  revisionOf,
} from './offline.ts'

/** The options of a relay. */
export interface RelayOptions {
  readonly endpoint: URL
  /** Without one nothing is sent. */
  readonly key: string | undefined
  /** Why no key may be used, where that is so. */
  readonly refusal: string | undefined
  readonly lists: KnownLists
  readonly write: (message: Message) => void
}

/**
 * How long the first requests wait for the service before they are answered from the lists of the last connection, ms.
 */
const patienceMs = 250

/** The pause before the stream of server notifications is reopened, ms. */
const listenAgainMs = 2_000

/** The first requests of a client. */
const firstRequests: ReadonlySet<string> = new Set(['initialize', 'server/discover'])

/** Nothing answered. */
class Unreachable extends Error {}

/** A session that the service no longer knows. */
class SessionLost extends Error {}

export class Relay {
  readonly #options: RelayOptions
  readonly #owed = new Set<Promise<void>>()
  readonly #ending = new AbortController()
  #session: string | undefined
  /** The parameters of the client's handshake, to repeat it. */
  #handshake: Message | undefined
  #restoring: Promise<void> | undefined
  #isListening = false
  /** Whether the client's lists may be outdated: they were answered here, or the service was unreachable since. */
  #isBehind = false

  constructor(options: RelayOptions) {
    this.#options = options
  }

  /** Handles a line from the client. */
  take(line: string): void {
    let message: unknown
    try {
      message = JSON.parse(line)
    } catch {
      if (line.trim() !== '') this.#refuse(null, -32700, 'Parse error: the line is not JSON.')
      return
    }
    if (!isObject(message) || message.jsonrpc !== '2.0') {
      this.#refuse(null, -32600, 'Invalid request: send one JSON-RPC message.')
      return
    }
    const work = isRequest(message) ? this.#answer(message) : this.#tell(message)
    const pending = work.finally(() => this.#owed.delete(pending))
    this.#owed.add(pending)
  }

  /** Waits for the outstanding answers, and ends. */
  async end(): Promise<void> {
    await Promise.all(this.#owed)
    this.#ending.abort()
  }

  #refuse(id: string | number | null, code: number, message: string): void {
    this.#options.write({ jsonrpc: '2.0', id, error: { code, message } })
  }

  async #answer(message: Request): Promise<void> {
    const { id, method, params } = message
    let isAnswered = false
    const answer = (reply: Message) => {
      if (!isAnswered) this.#options.write({ ...reply, id })
      isAnswered = true
    }
    const receive = (reply: Message) => {
      if (!('id' in reply) || 'method' in reply) return this.#options.write(reply)
      if (isObject(reply.result)) this.#options.lists.keep(method, params, reply.result)
      answer(reply)
    }
    try {
      await this.#within(message, this.#forward(message, receive))
    } catch {
      // Answered below instead.
    }
    if (isAnswered) return
    if (method === 'initialize') this.#handshake ??= { ...params }
    this.#isBehind = true
    answer(offlineAnswer(message, this.#options.lists, this.#refused()))
  }

  /** Waits for an answer; for the handshake and known lists only for a moment. */
  async #within(message: Request, answer: Promise<void>): Promise<void> {
    const { method } = message
    if (!firstRequests.has(method) && !this.#options.lists.has(method)) return answer
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Unreachable()), patienceMs)
    })
    try {
      await Promise.race([answer, late])
    } finally {
      clearTimeout(timer)
      // The request may still fail after it was answered here.
      answer.catch(() => {})
    }
  }

  async #forward(message: Request, receive: (message: Message) => void): Promise<void> {
    if (this.#options.key === undefined) throw new Unreachable()
    const modern = modernHeaders(message)
    if (modern !== undefined) return this.#exchange(message, modern, receive)
    if (message.method === 'initialize') {
      this.#handshake = { ...message.params }
      this.#session = undefined
      return this.#exchange(message, {}, receive)
    }
    await this.#restore()
    try {
      await this.#exchange(message, this.#sessionHeaders(), receive)
    } catch (error) {
      if (!(error instanceof SessionLost)) throw error
      this.#session = undefined
      await this.#restore()
      await this.#exchange(message, this.#sessionHeaders(), receive)
    }
  }

  /** Forwards a notification; a failure is ignored, as the protocol allows. */
  async #tell(message: Message): Promise<void> {
    if (this.#options.key === undefined) return
    try {
      await this.#restore()
      const response = await this.#send('POST', this.#sessionHeaders(), JSON.stringify(message))
      response.resume()
    } catch {
      // Ignored, as described above.
    }
    if (message.method === 'notifications/initialized') void this.#listen()
  }

  /**
   * Begins a session for a client whose handshake was answered here, while the service was unreachable; all waiting
   * calls share one attempt.
   */
  async #restore(): Promise<void> {
    if (this.#session !== undefined || this.#handshake === undefined) return
    const message = { jsonrpc: '2.0', id: 'handshake', method: 'initialize', params: this.#handshake } as const
    this.#restoring ??= this.#exchange(message, {}, () => {}).finally(() => {
      this.#restoring = undefined
    })
    await this.#restoring
  }

  #sessionHeaders(): Record<string, string> {
    return this.#session === undefined ? {} : { 'mcp-session-id': this.#session }
  }

  async #exchange(
    message: Request,
    headers: Readonly<Record<string, string>>,
    receive: (message: Message) => void,
  ): Promise<void> {
    const response = await this.#send('POST', headers, JSON.stringify(message))
    const { statusCode = 0, headers: responseHeaders } = response
    const session = responseHeaders['mcp-session-id']
    if (message.method === 'initialize' && typeof session === 'string') this.#session = session
    if (responseHeaders['content-type']?.includes('text/event-stream')) return eachEvent(response, receive)
    const body: unknown = JSON.parse(await textOf(response))
    if (statusCode === 404 && 'mcp-session-id' in headers) throw new SessionLost()
    if (isObject(body) && body.jsonrpc === '2.0') receive(body)
    else receive(refusal(message, { status: statusCode, detail: isObject(body) ? body.detail : undefined }))
  }

  /**
   * Forwards server notifications as long as the client is connected; while the service is not reachable, it keeps
   * retrying.
   */
  async #listen(): Promise<void> {
    if (this.#isListening) return
    this.#isListening = true
    let isRefused = false
    while (!this.#ending.signal.aborted && !isRefused) {
      try {
        await this.#restore()
        isRefused = this.#session === undefined || (await this.#hear())
      } catch {
        this.#isBehind = true
      }
      if (!isRefused) await new Promise(resolve => setTimeout(resolve, listenAgainMs).unref())
    }
    this.#isListening = false
  }

  /** Forwards one stream of server notifications until it ends; returns whether the service refused the stream. */
  async #hear(): Promise<boolean> {
    const session = this.#session
    const response = await this.#send('GET', { ...this.#sessionHeaders(), accept: 'text/event-stream' })
    if (response.statusCode === 200) {
      this.#catchUp()
      await eachEvent(response, this.#options.write)
      return false
    }
    response.resume()
    if (response.statusCode !== 404) return true
    // A restarted service does not know earlier sessions.
    if (this.#session === session) this.#session = undefined
    this.#isBehind = true
    return false
  }

  /** Tells the client to read the lists again if they may be outdated (harness 2). */
  #catchUp(): void {
    if (!this.#isBehind) return
    this.#isBehind = false
    for (const list of ['tools', 'resources'])
      this.#options.write({ jsonrpc: '2.0', method: `notifications/${list}/list_changed` })
  }

  #send(method: 'GET' | 'POST', headers: Readonly<Record<string, string>>, body?: string): Promise<IncomingMessage> {
    const { endpoint, key } = this.#options
    const options: RequestOptions = {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        ...headers,
      },
      signal: this.#ending.signal,
    }
    return new Promise((resolve, reject) => {
      requester(endpoint)(endpoint, options, resolve)
        .once('error', error => reject(new Unreachable(error.message)))
        .end(body)
    })
  }

  /** Why nothing gets through. */
  #refused(): RequestFailure {
    const { endpoint, key, refusal: why } = this.#options
    const { origin } = endpoint
    if (key !== undefined) {
      const message = `No Specboard answers at ${origin}. Start it with "specboard serve", then call again.`
      return { status: 503, detail: { error: 'SERVER_UNREACHABLE', message } }
    }
    const signIn = `Let the person run "specboard login ${origin}" in a terminal, then start this client again.`
    const message = why ?? `There is no API key for ${origin}. ${signIn}`
    return { status: 401, detail: { error: 'UNAUTHORIZED', message } }
  }
}

const isRequest = (message: Message): message is Request =>
  typeof message.method === 'string' && (typeof message.id === 'string' || typeof message.id === 'number')

/** The headers that repeat the body in the generation without handshake; undefined in the generation with one. */
function modernHeaders(request: Request): Record<string, string> | undefined {
  const { method, params } = request
  const revision = revisionOf(request)
  if (revision === undefined) return undefined
  const subject = [params?.name, params?.uri].find(text => typeof text === 'string')
  return {
    'mcp-protocol-version': revision,
    'mcp-method': method,
    ...(subject !== undefined && { 'mcp-name': headerValue(subject) }),
  }
}

/** A text as a header can carry it. */
const headerValue = (text: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8') || 'null'
}

/** Hands over the message of every event of a stream. */
async function eachEvent(response: IncomingMessage, receive: (message: Message) => void): Promise<void> {
  let text = ''
  response.setEncoding('utf8')
  for await (const chunk of response) {
    text += String(chunk)
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const data = lines.filter(line => line.startsWith('data:')).map(line => line.slice(5).trimStart())
      const message: unknown = data.length === 0 ? null : JSON.parse(data.join('\n'))
      if (isObject(message)) receive(message)
    }
  }
}
