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
 * Answers while the server cannot be reached (mcp 4.2): lists from the registry, not filtered by
 * permission; guides and operations; every call is an error that says how to start the server.
 */
export class OfflineBackend implements Backend {
  readonly view: View
  readonly #url: string

  constructor(view: View, url: string) {
    this.view = view
    this.#url = url
  }

  tools(): readonly ToolDefinition[] {
    return definitionsOf(this.view.tools, this.view)
  }

  async callTool(name: string): Promise<CallToolResult> {
    if (toolNamed(name) === undefined) throw unknownTool(name)
    return toolResult(refused(unreachable(this.#url)))
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
    throw new UnknownName(`Prompt ${name} needs the server: ${unreachable(this.#url).message}`)
  }

  complete(params: CompleteRequestParams): Promise<CompleteResult['completion']> {
    return complete(undefined, params, undefined)
  }
}

/** The error of every call while no server answers. */
const unreachable = (url: string): DomainError =>
  new DomainError(
    'SERVER_UNREACHABLE',
    `No Specboard answers at ${url}. Start it with "specboard serve", then call again.`,
  )
