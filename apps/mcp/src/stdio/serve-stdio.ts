import type { Readable, Writable } from 'node:stream'
import {
  type CallToolResult,
  createMcpHandler,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/server'
import { isObject, type JsonObject } from '../calls/lean-value.ts'
import { type Outcome, succeeded, toolResult } from '../calls/results.ts'
import { Exchange } from '../endpoint/exchange.ts'
import { isModern, messageOf } from '../endpoint/message.ts'
import { mcpServer } from '../server/mcp-server.ts'
import type { ToolDefinition } from '../tools/definitions.ts'
import { type ViewRequest, viewOf } from '../tools/view.ts'
import { linesOf } from './lines.ts'
import { LocalFiles, withLocalFile } from './local-files.ts'
import { OfflineBackend } from './offline-backend.ts'
import { modernHeaders, Unreachable, Upstream } from './upstream.ts'

/** What `specboard mcp` is made of. */
export interface StdioOptions {
  /** Sends a request to the service: `fetch`, or the application of this process. */
  readonly send: (request: Request) => Promise<Response>
  /** Base address of the service. */
  readonly url: string
  readonly key: string
  readonly view: ViewRequest
  /** Trees beside the working directory in which files may be read and written. */
  readonly allowedFolders: readonly string[]
  readonly version: string
  readonly input: Readable
  /** Takes protocol messages and nothing else. */
  readonly output: Writable
  /** Told of what goes wrong; stderr. */
  readonly log: (line: string) => void
}

/** What calls have left to be answered once the input ended, ms (mcp 4.3). */
const lastAnswersMs = 400

/** A request that is not answered yet. */
interface InFlight {
  readonly controller: AbortController
  readonly answer: Promise<void>
  /** It has no answer of its own: it ends with the connection. */
  readonly isStream: boolean
}

/** Wait before the stream of notifications is opened again, ms. */
const listenAgainMs = 2_000

/**
 * Serves MCP over stdio by forwarding to the endpoint of the service (mcp 4), both protocol generations; ends
 * with the input. While the service cannot be reached, lists come from the registry and calls are errors.
 * @throws ViewError when the view names what does not exist
 */
export async function serveMcpStdio(options: StdioOptions): Promise<void> {
  viewOf(options.view, 'all')
  await new StdioServer(options).run()
}

class StdioServer {
  readonly #options: StdioOptions
  readonly #upstream: Upstream
  readonly #files: LocalFiles
  readonly #inFlight = new Map<RequestId, InFlight>()
  readonly #end = new AbortController()
  #listening = false

  constructor(options: StdioOptions) {
    this.#options = options
    this.#upstream = new Upstream(options)
    this.#files = new LocalFiles(options.allowedFolders, viewOf(options.view, 'all'))
  }

  async run(): Promise<void> {
    for await (const line of linesOf(this.#options.input)) {
      if (line === null) this.#write(rpcError(null, -32600, 'A message has at most 16 MiB.'))
      else if (line !== '') this.#take(line)
    }
    await this.#lastAnswers()
    this.#end.abort()
    for (const { controller } of this.#inFlight.values()) controller.abort()
  }

  /** Waits for what is still to be answered, not for long: a client may write all it has and close its end. */
  async #lastAnswers(): Promise<void> {
    const answers = [...this.#inFlight.values()].filter(({ isStream }) => !isStream).map(({ answer }) => answer)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>(resolve => {
      timer = setTimeout(resolve, lastAnswersMs)
    })
    await Promise.race([Promise.all(answers), late])
    clearTimeout(timer)
  }

  #take(line: string): void {
    const incoming = messageOf(line)
    if (incoming instanceof Response) {
      incoming.json().then(
        refusal => this.#write(refusal as JsonObject),
        () => {},
      )
    } else if (incoming.kind === 'request') {
      this.#begin(incoming.message)
    } else if (incoming.kind === 'notification') {
      this.#notified(incoming.message)
    }
  }

  #notified(message: { readonly method: string; readonly params?: object | undefined }): void {
    if (message.method === 'notifications/cancelled') {
      const { requestId } = (message.params ?? {}) as { requestId?: RequestId }
      if (requestId !== undefined) this.#inFlight.get(requestId)?.controller.abort()
    }
    void this.#upstream.notify({ ...message })
    if (message.method === 'notifications/initialized') void this.#listen()
  }

  #begin(message: JSONRPCRequest): void {
    const controller = new AbortController()
    const answer = this.#answer(message, controller).finally(() => this.#inFlight.delete(message.id))
    this.#inFlight.set(message.id, { controller, answer, isStream: message.method === 'subscriptions/listen' })
  }

  async #answer(message: JSONRPCRequest, controller: AbortController): Promise<void> {
    const receive = (answer: JsonObject) => {
      if (!controller.signal.aborted || !('id' in answer)) this.#write(this.#withLocalFiles(message, answer))
    }
    try {
      const local = await this.#localFile(message)
      if (local !== undefined) receive(local)
      else await this.#upstream.request(message, receive, controller.signal)
    } catch (error) {
      if (controller.signal.aborted) return
      if (error instanceof Unreachable) return receive(await this.#offline(message))
      this.#options.log(`specboard mcp: ${error instanceof Error ? error.message : String(error)}`)
      receive(rpcError(message.id, -32603, 'The call failed; see the log of this process.'))
    }
  }

  /** A call that names a file of this machine is done here. */
  async #localFile({ id, method, params }: JSONRPCRequest): Promise<JsonObject | undefined> {
    const { name, arguments: args } = (params ?? {}) as { name?: unknown; arguments?: unknown }
    if (method !== 'tools/call' || typeof name !== 'string' || !isObject(args)) return undefined
    const service = { api: this.#upstream.api, tool: this.#tool }
    const outcome = await this.#files.call(name, args, service)
    return outcome === undefined ? undefined : { jsonrpc: '2.0', id, result: toolResult(outcome) }
  }

  /** Calls a tool of the service for this process, through the view of the connection. */
  readonly #tool = async (name: string, args: JsonObject): Promise<Outcome> => {
    const message: JSONRPCRequest = {
      jsonrpc: '2.0',
      id: 'local',
      method: 'tools/call',
      params: { name, arguments: args },
    }
    let answer: JsonObject = {}
    await this.#upstream.request(
      message,
      received => {
        answer = received
      },
      this.#end.signal,
    )
    const { content, isError } = answer.result as CallToolResult
    const text = content[0]?.type === 'text' ? content[0].text : '{}'
    const value = JSON.parse(text) as JsonObject
    return isError === true ? { ok: false, error: value } : succeeded({ value, text })
  }

  #withLocalFiles({ method }: JSONRPCRequest, answer: JsonObject): JsonObject {
    if (method !== 'tools/list' || !isObject(answer.result) || !Array.isArray(answer.result.tools)) return answer
    return {
      ...answer,
      result: { ...answer.result, tools: (answer.result.tools as ToolDefinition[]).map(withLocalFile) },
    }
  }

  async #offline(message: JSONRPCRequest): Promise<JsonObject> {
    const { view, url, version } = this.#options
    const backend = new OfflineBackend(viewOf(view, 'all'), url)
    if (!isModern(message, null)) {
      const exchange = new Exchange(message, 'json')
      await mcpServer(backend, 'legacy', version).connect(exchange)
      return (await (await exchange.run()).json()) as JsonObject
    }
    const handler = createMcpHandler(() => mcpServer(backend, 'modern', version), { legacy: 'reject' })
    const headers = { 'content-type': 'application/json', ...modernHeaders(message) }
    const request = new Request(new URL('/mcp', url), { method: 'POST', headers })
    const response = await handler.fetch(request, { parsedBody: message })
    if (!(response.headers.get('content-type') ?? '').includes('json')) {
      await response.body?.cancel()
      return rpcError(message.id, -32603, `No Specboard answers at ${url}.`)
    }
    return (await response.json()) as JsonObject
  }

  /** Passes on what the service tells of itself, as long as the client is there. */
  async #listen(): Promise<void> {
    if (this.#listening) return
    this.#listening = true
    while (!this.#end.signal.aborted) {
      await this.#upstream.listen(message => this.#write(message), this.#end.signal).catch(() => {})
      if (!this.#end.signal.aborted) await pause(listenAgainMs)
    }
  }

  #write(message: JsonObject): void {
    this.#options.output.write(`${JSON.stringify(message)}\n`)
  }
}

const rpcError = (id: RequestId | null, code: number, message: string): JsonObject => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

/** Waits without keeping the process alive. */
const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms).unref())
