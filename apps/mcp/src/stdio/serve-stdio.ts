import { addAbortSignal, type Readable, type Writable } from 'node:stream'
import type { CallToolResult, JSONRPCRequest, RequestId } from '@modelcontextprotocol/server'
import { isObject, type JsonObject } from '../calls/lean-value.ts'
import { type Outcome, succeeded, toolResult } from '../calls/results.ts'
import { messageOf } from '../endpoint/message.ts'
import { timeouts } from '../server/agent-backend.ts'
import type { ToolDefinition } from '../tools/definitions.ts'
import { type View, type ViewRequest, viewOf } from '../tools/view.ts'
import { CallsInFlight } from './calls-in-flight.ts'
import { linesOf } from './lines.ts'
import { LocalFiles, withLocalFile } from './local-files.ts'
import { offlineAnswer } from './offline-answer.ts'
import { rpcError } from './rpc-error.ts'
import { KeyMissing, Unreachable, Upstream } from './upstream.ts'

/** The options of `specboard mcp`. */
export interface StdioOptions {
  /** Sends a request to the service: `fetch`, or the application of this process. */
  readonly send: (request: Request) => Promise<Response>
  /** Base address of the service. */
  readonly url: string
  /** If undefined, lists come from the registry and every call answers how to save a key (mcp 4.1). */
  readonly key: string | undefined
  readonly view: ViewRequest
  /** Folder trees in which files may be read and written, in addition to the working directory. */
  readonly allowedFolders: readonly string[]
  readonly version: string
  readonly input: Readable
  /** Receives protocol messages and nothing else. */
  readonly output: Writable
  /** Called with errors, for stderr. */
  readonly log: (line: string) => void
  /** Ends the service at once, even if input is still unread or requests unanswered. */
  readonly signal: AbortSignal
}

/**
 * How long the service waits for the next answer once the input has ended, ms: the longest call has its full time (mcp
 * 15), plus half a minute for a busy machine.
 */
const patienceMs = timeouts.run + 30_000

/** Wait before the stream of notifications is opened again, ms. */
const listenAgainMs = 2_000

/** The errors of writing to a reader that is gone. */
const readerGone: ReadonlySet<unknown> = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED'])

/**
 * Serves MCP over stdio by forwarding to the endpoint of the service (mcp 4), both protocol generations; ends with the
 * input. While the service cannot be reached, lists come from the registry and calls are errors.
 *
 * Every request that arrived before the end of the input is answered; streams end with the last answer. When no answer
 * comes for 90 seconds, or `signal` aborts, each remaining request is listed in the log.
 * @returns whether everything was read and answered; also true when nobody reads the output any more
 * @throws ViewError when the view names something that does not exist
 */
export function serveMcpStdio(options: StdioOptions): Promise<boolean> {
  return new StdioServer(options, viewOf(options.view, 'all')).run()
}

class StdioServer {
  readonly #options: StdioOptions
  readonly #view: View
  readonly #upstream: Upstream
  readonly #files: LocalFiles
  readonly #calls = new CallsInFlight()
  readonly #end = new AbortController()
  #listening = false
  /** What was not read or answered, one line each. */
  readonly #lost: string[] = []

  constructor(options: StdioOptions, view: View) {
    this.#options = options
    this.#view = view
    this.#upstream = new Upstream(options, this.#end.signal)
    this.#files = new LocalFiles(options.allowedFolders, view)
  }

  async run(): Promise<boolean> {
    const { signal, output } = this.#options
    const interrupted = () => this.#stop('interrupted')
    if (signal.aborted) interrupted()
    signal.addEventListener('abort', interrupted, { once: true })
    output.on('error', error => this.#stop('the output failed', error))
    await this.#read()
    await this.#calls.settled(patienceMs, this.#end.signal)
    this.#stop(`no answer came for ${patienceMs / 1000} s`)
    signal.removeEventListener('abort', interrupted)
    for (const line of this.#lost) this.#log(line)
    return this.#lost.length === 0
  }

  /** Ends everything in progress. Requests left unanswered are reported, unless the reader of the output is gone. */
  #stop(reason: string, fault?: NodeJS.ErrnoException): void {
    if (this.#end.signal.aborted) return
    if (!readerGone.has(fault?.code)) {
      if (fault !== undefined) this.#lost.push(fault.message)
      for (const { method, id } of this.#calls.owed())
        this.#lost.push(`dropped ${method} (id ${JSON.stringify(id)}): ${reason}`)
    }
    this.#end.abort()
    this.#calls.abort()
  }

  /** Reads the input until it ends or the service is stopped. */
  async #read(): Promise<void> {
    try {
      for await (const line of linesOf(addAbortSignal(this.#end.signal, this.#options.input))) {
        if (this.#end.signal.aborted) return
        if (line === null) this.#refuse(rpcError(null, -32600, 'A message may be up to 16 MiB.'))
        else if (line !== '') this.#take(line)
      }
    } catch (error) {
      if (!this.#end.signal.aborted) this.#lost.push(`the input failed: ${explained(error)}`)
    }
  }

  #take(line: string): void {
    const incoming = messageOf(line)
    if (incoming instanceof Response) this.#refuse(incoming.json() as Promise<JsonObject>)
    else if (incoming.kind === 'request') this.#begin(incoming.message)
    else if (incoming.kind === 'notification') this.#notified(incoming.message)
  }

  /** Answers a line that is not a message. */
  #refuse(refusal: JsonObject | Promise<JsonObject>): void {
    this.#calls.begin({ id: null, method: 'a line that is not a message' }, async () => this.#write(await refusal))
  }

  #notified(message: { readonly method: string; readonly params?: object | undefined }): void {
    if (message.method === 'notifications/cancelled') {
      const { requestId } = (message.params ?? {}) as { requestId?: RequestId }
      if (requestId !== undefined) this.#calls.cancel(requestId)
    }
    void this.#upstream.notify({ ...message })
    if (message.method === 'notifications/initialized') void this.#listen()
  }

  #begin(message: JSONRPCRequest): void {
    this.#calls.begin(message, signal => this.#answer(message, signal))
  }

  /** Answers a request and waits until the answer is written; a cancelled one gets none. */
  async #answer(message: JSONRPCRequest, signal: AbortSignal): Promise<void> {
    let answered: Promise<void> | undefined
    const receive = (answer: JsonObject) => {
      if (!('id' in answer)) void this.#write(answer)
      else if (!signal.aborted) answered = this.#write(this.#withLocalFiles(message, answer))
    }
    try {
      const local = await this.#localFile(message)
      if (local === undefined) await this.#upstream.request(message, receive, signal)
      else receive(local)
    } catch (error) {
      if (!signal.aborted) receive(await this.#failed(message, error))
    }
    if (answered === undefined) receive(rpcError(message.id, -32603, 'The service ended the call without an answer.'))
    await answered
  }

  /** The answer to a request that did not get through. */
  async #failed(message: JSONRPCRequest, error: unknown): Promise<JsonObject> {
    try {
      if (!(error instanceof Unreachable) && !(error instanceof KeyMissing)) throw error
      return await offlineAnswer(message, { ...this.#options, view: this.#view })
    } catch (fault) {
      this.#log(fault)
      return rpcError(message.id, -32603, 'The call failed; see the log of this process.')
    }
  }

  /** A call that names a local file is handled here. */
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
    if (
      this.#view.readonly ||
      method !== 'tools/list' ||
      !isObject(answer.result) ||
      !Array.isArray(answer.result.tools)
    )
      return answer
    return {
      ...answer,
      result: { ...answer.result, tools: (answer.result.tools as ToolDefinition[]).map(withLocalFile) },
    }
  }

  /** Forwards the service's notifications until the client disconnects. */
  async #listen(): Promise<void> {
    if (this.#listening) return
    this.#listening = true
    while (!this.#end.signal.aborted) {
      await this.#upstream.listen(message => this.#write(message), this.#end.signal).catch(() => {})
      if (!this.#end.signal.aborted) await pause(listenAgainMs)
    }
  }

  /** Resolves when the message has left this process, or cannot be sent. */
  #write(message: JsonObject): Promise<void> {
    return new Promise(resolve => this.#options.output.write(`${JSON.stringify(message)}\n`, () => resolve()))
  }

  #log(error: unknown): void {
    this.#options.log(`specboard mcp: ${explained(error)}`)
  }
}

const explained = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Waits without keeping the process alive. */
const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms).unref())
