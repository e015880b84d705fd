import {
  type CallToolResult,
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  type ReadResourceResult,
  type Resource,
} from '@modelcontextprotocol/server'
import { type Backend, type CallOptions, UnknownName, UnknownResource } from '../src/backend.ts'
import type { AgentBackendOptions } from '../src/server/agent-backend.ts'
import { toolAnnotations } from '../src/tools/annotations.ts'
import type { ToolDefinition } from '../src/tools/definitions.ts'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=='
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

/** Waits longer than the minimum time between two reports of progress. */
const step = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 110))

const text = (words: string) => ({ type: 'text' as const, text: words })
const image = { type: 'image' as const, data: png, mimeType: 'image/png' }
const embedded = (uri: string, mimeType: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: words },
})

type Tool = (options: CallOptions) => Promise<CallToolResult> | CallToolResult

/** The tools that the conformance suite calls by name. */
const tools: Readonly<Record<string, Tool>> = {
  test_simple_text: () => ({ content: [text('This is a simple text response for testing.')] }),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    content: [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: () => ({
    content: [text('This tool intentionally returns an error for testing')],
    isError: true,
  }),
  test_tool_with_progress: async ({ progress }) => {
    for (const done of [0, 50, 100]) {
      progress(done, 100)
      await step()
    }
    return { content: [text('Done.')] }
  },
  test_tool_with_logging: async ({ notify }) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await notify({ method: 'notifications/message', params: { level: 'info', data } })
      await step()
    }
    return { content: [text('Done.')] }
  },
  test_streaming_elicitation: () => ({ content: [text('Nothing is asked of the client.')] }),
  test_logging_tool: () => ({ content: [text('Nothing is logged unless requested.')] }),
  test_missing_capability: () => {
    throw new ProtocolError(-32021, 'Sampling is needed.', { requiredCapabilities: { sampling: {} } })
  },
}

const argumentNames = ['arg1', 'arg2']

const prompts: readonly Prompt[] = [
  { name: 'test_simple_prompt', description: 'A prompt without arguments.' },
  {
    name: 'test_prompt_with_arguments',
    description: 'A prompt with arguments.',
    arguments: argumentNames.map(name => ({ name, description: name, required: true })),
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt with a resource.',
    arguments: [{ name: 'resourceUri', description: 'A URI.', required: true }],
  },
  { name: 'test_prompt_with_image', description: 'A prompt with an image.' },
]

const resources: readonly Resource[] = ['static-text', 'static-binary', 'watched-resource'].map(name => ({
  uri: `test://${name}`,
  name,
  mimeType: name === 'static-binary' ? 'image/png' : 'text/plain',
}))

/** Answers with what the conformance suite expects, behind the same endpoint as the real backend. */
export class ConformanceBackend implements Backend {
  readonly view
  readonly #options: AgentBackendOptions

  constructor(options: AgentBackendOptions) {
    this.view = options.view
    this.#options = options
  }

  tools(): readonly ToolDefinition[] {
    return Object.keys(tools).map(name => ({
      name,
      title: name,
      description: name,
      inputSchema: { type: 'object', additionalProperties: false },
      annotations: toolAnnotations.read,
    }))
  }

  async callTool(name: string, _args: object, options: CallOptions): Promise<CallToolResult> {
    const tool = tools[name]
    if (tool === undefined) throw new UnknownName(`Unknown tool '${name}'.`)
    return tool(options)
  }

  async resources() {
    return resources
  }

  templates() {
    return [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }]
  }

  async readResource(uri: string): Promise<ReadResourceResult> {
    const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? []
    if (id !== undefined) {
      const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
      return { contents: [{ uri, mimeType: 'application/json', text: data }] }
    }
    const found = resources.find(resource => resource.uri === uri)
    if (found === undefined) throw new UnknownResource(uri)
    const mimeType = found.mimeType ?? 'text/plain'
    return found.name === 'static-binary'
      ? { contents: [{ uri, mimeType, blob: png }] }
      : { contents: [{ uri, mimeType, text: 'This is the content of the static text resource.' }] }
  }

  subscribe(uri: string): Promise<void> {
    return this.#options.subscribe(uri)
  }

  unsubscribe(uri: string): Promise<void> {
    return this.#options.unsubscribe(uri)
  }

  prompts(): readonly Prompt[] {
    return prompts
  }

  async getPrompt(name: string, args: Readonly<Record<string, string>>): Promise<GetPromptResult> {
    const user = (content: GetPromptResult['messages'][number]['content']) => ({ role: 'user' as const, content })
    switch (name) {
      case 'test_simple_prompt':
        return { messages: [user(text('This is a simple prompt for testing.'))] }
      case 'test_prompt_with_arguments':
        return { messages: [user(text(`Prompt with arguments: arg1='${args.arg1}', arg2='${args.arg2}'`))] }
      case 'test_prompt_with_embedded_resource':
        return {
          messages: [
            user(embedded(String(args.resourceUri), 'text/plain', 'Embedded resource content for testing.')),
            user(text('Please process the embedded resource above.')),
          ],
        }
      case 'test_prompt_with_image':
        return { messages: [user(image), user(text('Please analyze the image above.'))] }
      default:
        throw new UnknownName(`Unknown prompt '${name}'.`)
    }
  }

  async complete() {
    return { values: [], total: 0, hasMore: false }
  }
}
