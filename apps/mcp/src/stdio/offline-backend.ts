import type {
  CallToolResult,
  CompleteRequestParams,
  CompleteResult,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
} from '@modelcontextprotocol/server'
import { DomainError } from '@specboard/domain'
import { type Backend, UnknownName, UnknownResource, unknownTool } from '../backend.ts'
import { refused, toolResult } from '../calls/results.ts'
import { guides } from '../guides.ts'
import { complete } from '../prompts/complete.ts'
import { listedPrompts } from '../prompts/get-prompt.ts'
import { listedTemplates } from '../resources/listed-templates.ts'
import { fixedPage } from '../resources/read-resource.ts'
import { addressOf, guideUri } from '../resources/uris.ts'
import { definitionsOf, type ToolDefinition } from '../tools/definitions.ts'
import { toolNamed, type View } from '../tools/view.ts'

const anything = () => true

/**
 * Answers while the server cannot be reached (mcp 4.2), or without a key (mcp 4.1): lists from the registry, not
 * filtered by permission; guides and operations; every call returns an error that says what to do.
 */
export class OfflineBackend implements Backend {
  readonly view: View
  readonly #fault: DomainError

  constructor(view: View, fault: DomainError) {
    this.view = view
    this.#fault = fault
  }

  tools(): readonly ToolDefinition[] {
    return definitionsOf(this.view.tools, this.view)
  }

  async callTool(name: string): Promise<CallToolResult> {
    if (toolNamed(name) === undefined) throw unknownTool(name)
    return toolResult(refused(this.#fault))
  }

  async resources() {
    return Object.entries(guides).map(([topic, { title, description }]) => ({
      uri: guideUri(topic),
      name: `guide-${topic}`,
      title,
      description,
      mimeType: 'text/markdown',
    }))
  }

  templates() {
    return listedTemplates(anything)
  }

  async readResource(uri: string): Promise<ReadResourceResult> {
    const address = addressOf(uri)
    const text = address === undefined ? undefined : fixedPage(address)
    if (text === undefined) throw new UnknownResource(uri)
    return { contents: [{ uri, mimeType: 'text/markdown', text }] }
  }

  async subscribe(uri: string): Promise<void> {
    throw new UnknownResource(uri)
  }

  async unsubscribe(uri: string): Promise<void> {
    throw new UnknownResource(uri)
  }

  prompts(): Prompt[] {
    return listedPrompts(anything)
  }

  async getPrompt(name: string): Promise<GetPromptResult> {
    throw new UnknownName(`Prompt ${name} needs the server: ${this.#fault.message}`)
  }

  complete(params: CompleteRequestParams): Promise<CompleteResult['completion']> {
    return complete(undefined, params, undefined)
  }
}

/** The error of every call while no server answers. */
export const unreachable = (url: string): DomainError =>
  new DomainError(
    'SERVER_UNREACHABLE',
    `No Specboard answers at ${url}. Start it with "specboard serve", then call again.`,
  )

/** The error of every call without a key. */
export const keyMissing = (url: string): DomainError =>
  new DomainError(
    'UNAUTHORIZED',
    `There is no API key for ${url}. Let the person run "specboard login ${url}" in a terminal, then start this client again.`,
  )
