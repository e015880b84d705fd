import {
  type CallToolResult,
  type CompleteRequestParams,
  type GetPromptResult,
  type InputRequiredResult,
  ProtocolError,
  type ReadResourceResult,
  type Resource,
} from '@modelcontextprotocol/server'
import { largestBody, operationByName } from '@specboard/contract'
import { type Caller, DomainError, lookUp, refusalOfError, type Service, tooManyCalls } from '@specboard/domain'
import { inPieces } from '@specboard/http'
import { type Backend, type CallOptions, UnknownResource, unknownTool } from '../backend.ts'
import type { CallContext, ToolConfirmation } from '../calls/call-context.ts'
import { callOperation } from '../calls/call-operation.ts'
import { CancelledError, cancelledOutcome } from '../calls/cancelled.ts'
import { agreedBy, inputRequired, Question } from '../calls/confirming.ts'
import { isLargerThan, maxArgumentBytes } from '../calls/json-size.ts'
import { type Arguments, tooManyArguments } from '../calls/read-arguments.ts'
import { Reader } from '../calls/reader.ts'
import { failed, invalidArguments, type Outcome, refused, toolResult } from '../calls/results.ts'
import type { IssueTicket } from '../calls/upload-ticket.ts'
import { waitTime } from '../calls/wait-time.ts'
import { guides } from '../guides.ts'
import { callMeta } from '../meta/call-meta.ts'
import { complete } from '../prompts/complete.ts'
import { listedPrompts, promptResult } from '../prompts/get-prompt.ts'
import { canonicalUri } from '../resources/canonical-uri.ts'
import { listedTemplates } from '../resources/listed-templates.ts'
import { readResource } from '../resources/read-resource.ts'
import { guideUri, meUri, recordUri } from '../resources/uris.ts'
import { isVisible } from '../resources/visible.ts'
import { toolsFor } from '../tools/catalogue.ts'
import { mayUse } from '../tools/may-use.ts'
import { toolNamed, type View } from '../tools/view.ts'

/** The log line of one tool call; it never contains arguments or keys (mcp 15). */
export interface CallRecord {
  readonly request_id: string
  readonly agent: string
  readonly tool: string
  readonly status: number
  readonly ms: number
  readonly characters: number
}

/** What the backend of an agent needs. */
export interface AgentBackendOptions {
  readonly service: Service
  readonly caller: Caller
  readonly view: View
  /** Whether the person at the client confirms destructive calls, if the client supports it (people 4). */
  readonly confirms: boolean
  readonly requestId: string
  readonly origin: string
  readonly onFault: (error: unknown) => void
  readonly onCall: (record: CallRecord) => void
  /** Issues upload tickets; undefined when no client can reach the endpoint over HTTP. */
  readonly issueTicket: IssueTicket | undefined
  /** Milliseconds until the key may call again; 0 when it may now. */
  readonly retryAfterMs: number
  /** Subscribes the session of the request. */
  readonly subscribe: (uri: string) => Promise<void>
  readonly unsubscribe: (uri: string) => Promise<void>
}

/** Time limit of one tool call, ms; longer for run_operations (mcp 15). */
export const timeouts = { tool: 30_000, run: 60_000 } as const

/** How often a waiting call reports that it is still waiting, ms (crew 5.1). */
const tellEveryMs = 15_000

/** Answers on behalf of one agent through one view. */
export class AgentBackend implements Backend {
  readonly view: View
  readonly #options: AgentBackendOptions
  readonly #reader: Reader

  constructor(options: AgentBackendOptions) {
    this.view = options.view
    this.#options = options
    this.#reader = new Reader(options.service, options.caller, options.view.boardId)
  }

  tools() {
    return toolsFor(this.#options.caller, this.view)
  }

  async callTool(name: string, args: Arguments, options: CallOptions): Promise<CallToolResult | InputRequiredResult> {
    const tool = toolNamed(name)
    if (tool === undefined) throw unknownTool(name)
    const started = performance.now()
    const { requestId, caller, onCall } = this.#options
    const report = (status: number, characters: number) =>
      onCall({
        request_id: requestId,
        agent: caller.id,
        tool,
        status,
        ms: Math.round((performance.now() - started) * 100) / 100,
        characters,
      })
    const outcome = await this.#timed(tool, args, options)
    if (outcome instanceof Question) {
      const question = inputRequired(outcome, this.#bound(tool, args))
      report(202, 0)
      return question
    }
    const result = toolResult(outcome, !this.view.lean || this.view.outputSchemas)
    report(statusOf(outcome), result.content[0]?.type === 'text' ? result.content[0].text.length : 0)
    return result
  }

  /** The tool call that a question about it is bound to. */
  #bound(tool: string, args: Arguments) {
    const { service, caller, view } = this.#options
    return { context: { service, caller, view }, tool, args }
  }

  /** How the person at the client confirms a call; undefined if nobody is asked (people 4). */
  #confirming(tool: string, args: Arguments, asking: CallOptions['asking']): ToolConfirmation | undefined {
    if (!this.#options.confirms || asking === undefined) return undefined
    return { agreed: agreedBy(asking, this.#bound(tool, args)) }
  }

  /** Runs a tool until it ends, the caller cancels or time runs out; what is not committed by then is rolled back. */
  async #timed(tool: string, args: Arguments, { abort, progress, asking }: CallOptions): Promise<Outcome | Question> {
    const waitMs = waitTime(tool, args)
    const limit = waitMs + (tool === 'run_operations' ? timeouts.run : timeouts.tool)
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(timedOut(limit)), limit)
    const cancel = () => controller.abort(new CancelledError())
    if (abort.aborted) cancel()
    abort.addEventListener('abort', cancel, { once: true })
    const started = performance.now()
    const tell = () => progress(Math.round((performance.now() - started) / 1_000), Math.ceil(waitMs / 1_000))
    const telling = waitMs > tellEveryMs ? setInterval(tell, tellEveryMs) : undefined
    try {
      return await this.#run(tool, args, controller.signal, progress, asking)
    } catch (error) {
      if (error instanceof Question) return error
      if (error instanceof ProtocolError) throw error
      const refusal = refusalOfError(this.#options.service.asRefusal(error))
      if (refusal !== undefined) return refused(refusal)
      if (error instanceof CancelledError) return cancelledOutcome
      this.#options.onFault(error)
      return failed(this.#options.requestId)
    } finally {
      clearTimeout(timer)
      clearInterval(telling)
      abort.removeEventListener('abort', cancel)
    }
  }

  async #run(
    tool: string,
    args: Arguments,
    abort: AbortSignal,
    progress: CallOptions['progress'],
    asking: CallOptions['asking'],
  ): Promise<Outcome> {
    const { service, caller, requestId, origin, issueTicket, onFault, retryAfterMs } = this.#options
    if (retryAfterMs > 0) throw tooManyCalls(retryAfterMs)
    const excess = tooManyArguments(args)
    if (excess !== undefined) return invalidArguments([excess])
    const operation = operationByName.get(tool)
    const max = operation === undefined ? maxArgumentBytes : Math.min(maxArgumentBytes, largestBody(operation))
    if (operation?.kind !== 'upload' && (await inPieces(isLargerThan(max, args)))) throw tooMuch(max)
    const context: CallContext = {
      service,
      caller,
      view: this.view,
      requestId,
      origin,
      abort,
      progress,
      issueTicket,
      confirming: this.#confirming(tool, args, asking),
      onFault,
    }
    if (operation !== undefined) return callOperation(context, operation, args)
    return callMeta(context, tool, args, uri => this.#readText(uri))
  }

  async #readText(uri: string) {
    try {
      const [content] = (await this.readResource(uri)).contents
      return content === undefined || !('text' in content)
        ? { uri, mime_type: content?.mimeType }
        : { uri, mime_type: content.mimeType, text: content.text }
    } catch (error) {
      if (!(error instanceof UnknownResource)) throw error
      throw new DomainError('NOT_FOUND', error.message, { entity_type: 'resource', entity_id: uri })
    }
  }

  async resources(): Promise<readonly Resource[]> {
    const { service, caller, view } = this.#options
    const { items } = await service.read(caller, ctx => lookUp(ctx, 'board', '', { limit: 1000 }), view.boardId)
    return [
      resource(meUri, 'me', 'This agent', 'The agent, what it may do, its boards.', 0.5),
      ...Object.entries(guides).map(([topic, guide]) =>
        resource(guideUri(topic), `guide-${topic}`, guide.title, guide.description, 0.5),
      ),
      ...items.map(board =>
        resource(recordUri('board', board.id), board.id, board.title, 'Board', 0.7, board.changed_at),
      ),
    ]
  }

  templates() {
    return listedTemplates(operation => mayUse(this.#options.caller, operation))
  }

  async readResource(uri: string): Promise<ReadResourceResult> {
    return readResource(this.#reader, await this.#canonical(uri))
  }

  async subscribe(uri: string): Promise<void> {
    await this.#options.subscribe(await this.#visible(uri))
  }

  async unsubscribe(uri: string): Promise<void> {
    await this.#options.unsubscribe(await this.#visible(uri))
  }

  #canonical(uri: string): Promise<string> {
    const { service, caller } = this.#options
    return canonicalUri(service, caller, uri, this.view.boardId)
  }

  /** The canonical URI of a resource that the caller may read. */
  async #visible(uri: string): Promise<string> {
    const { service, caller } = this.#options
    const canonical = await this.#canonical(uri)
    if (!(await isVisible(service, caller, canonical, this.view.boardId))) throw new UnknownResource(uri)
    return canonical
  }

  prompts() {
    return listedPrompts(operation => mayUse(this.#options.caller, operation))
  }

  getPrompt(name: string, args: Readonly<Record<string, string>>): Promise<GetPromptResult> {
    return promptResult(
      name,
      args,
      uri => this.readResource(uri),
      operation => mayUse(this.#options.caller, operation),
    )
  }

  complete(params: CompleteRequestParams) {
    return complete(this.#reader, params, this.view.boardId)
  }
}

const timedOut = (limit: number) =>
  new DomainError('TIMEOUT', `The call took longer than ${limit / 1000} s and was rolled back. Ask for less at once.`)

const tooMuch = (max_bytes: number) =>
  new DomainError('PAYLOAD_TOO_LARGE', `The arguments of this call may have at most ${max_bytes} bytes.`, { max_bytes })

function statusOf(outcome: Outcome): number {
  if (outcome.ok) return 200
  return typeof outcome.error.status === 'number' ? outcome.error.status : 207
}

function resource(
  uri: string,
  name: string,
  title: string,
  description: string,
  priority: number,
  lastModified?: string,
): Resource {
  return {
    uri,
    name,
    title,
    description,
    mimeType: 'text/markdown',
    annotations: { audience: ['assistant'], priority, ...(lastModified !== undefined && { lastModified }) },
  }
}
