import type {
  CallToolResult,
  CompleteRequestParams,
  CompleteResult,
  GetPromptResult,
  InputRequiredResult,
  Notification,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
} from '@modelcontextprotocol/server'
import { maskKeys } from '@specboard/contract'
import type { PendingConfirmation } from './calls/confirming.ts'
import type { Arguments } from './calls/read-arguments.ts'
import { maxUriCharacters, nearest, shownName } from './nearest.ts'
import type { ToolDefinition } from './tools/definitions.ts'
import { order } from './tools/toolsets.ts'
import type { View } from './tools/view.ts'

/** The abort signal and the notifications of one tool call. */
export interface CallOptions {
  /** Fires when the caller cancels. */
  readonly abort: AbortSignal
  /** Reports progress; does nothing when the caller did not ask for it. */
  readonly progress: (done: number, total?: number) => void
  /** How to ask the person at the client; undefined if the client does not support it (people 4). */
  readonly asking?: PendingConfirmation | undefined
  /** Sends any other notification before the answer. */
  readonly notify: (notification: Notification) => Promise<void>
}

/** A resource that does not exist or that the caller may not see; the error does not say which. */
export class UnknownResource extends Error {
  readonly uri: string

  constructor(uri: string) {
    super(`No resource ${shownName(uri)} is visible to this key.`)
    this.uri = uri.length > maxUriCharacters ? shownName(uri) : maskKeys(uri)
  }
}

/** An unknown name or reference; the message suggests the nearest. */
export class UnknownName extends Error {}

/** The error of a call to a tool that does not exist. */
export function unknownTool(name: string): UnknownName {
  const suggestions = nearest(name, order, 3)
  return new UnknownName(
    `Unknown tool '${shownName(name)}'${suggestions.length === 0 ? '.' : `; did you mean ${suggestions.join(', ')}?`}`,
  )
}

/**
 * Answers for an MCP server: on behalf of one agent through one view, or of nobody while the service is unreachable.
 */
export interface Backend {
  readonly view: View
  tools(): readonly ToolDefinition[]
  /** @throws UnknownName */
  callTool(name: string, args: Arguments, options: CallOptions): Promise<CallToolResult | InputRequiredResult>
  resources(): Promise<readonly Resource[]>
  templates(): readonly ResourceTemplateType[]
  /** @throws UnknownResource */
  readResource(uri: string): Promise<ReadResourceResult>
  /** Subscribes the session of the request. @throws UnknownResource */
  subscribe(uri: string): Promise<void>
  unsubscribe(uri: string): Promise<void>
  prompts(): readonly Prompt[]
  /** @throws UnknownName, UnknownResource */
  getPrompt(name: string, args: Readonly<Record<string, string>>): Promise<GetPromptResult>
  /** @throws UnknownName */
  complete(params: CompleteRequestParams): Promise<CompleteResult['completion']>
}
