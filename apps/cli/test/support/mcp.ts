import type { AnyOperation } from '@specboard/contract'
import { plainRequest } from './plain-request.ts'
import type { TestAgent, World } from './world.ts'

/** A JSON-RPC answer as received over the socket. */
export interface RpcAnswer {
  readonly status: number
  readonly headers: Headers
  /** The parsed message; tests look into it freely. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of all methods
  readonly body: any
}

/** How a test's request differs from the usual one. */
export interface RpcOptions {
  /** Null for a request without a key. */
  readonly as?: TestAgent | null
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly id?: string | number
  /** Closes the connection. */
  readonly signal?: AbortSignal
}

/** What is sent to the endpoint, as text. */
export interface RpcMessage {
  readonly method: string
  readonly body?: string
}

/** The answer of a tool. */
export interface ToolAnswer {
  readonly isError: boolean
  /** The value of the text, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: values of all tools
  readonly value: any
  // biome-ignore lint/suspicious/noExplicitAny: content of all kinds
  readonly content: any[]
  readonly structured: unknown
}

export const modernVersion = '2026-07-28'

/** The envelope of every request of the generation without handshake. */
export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': modernVersion,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Speaks JSON-RPC with a world's endpoint, in both protocol generations, without a library. */
export class McpWire {
  readonly world: World

  constructor(world: World) {
    this.world = world
  }

  /** The address of the endpoint. */
  url(query = ''): string {
    return `${this.world.running.url}/mcp${query === '' ? '' : `?${query}`}`
  }

  /** Sends any request to the endpoint and reads the answer to its end. */
  async send(message: RpcMessage, options: RpcOptions = {}): Promise<RpcAnswer> {
    const { signal, query } = options
    const request = { ...message, headers: this.#headers(message, options), signal }
    const { status, headers, text } = await plainRequest(this.url(query), request)
    const isJson = headers.get('content-type')?.includes('json') ?? false
    return { status, headers, body: isJson && text !== '' ? JSON.parse(text) : text }
  }

  #headers({ method }: RpcMessage, { as = this.world.owner, headers }: RpcOptions): Record<string, string> {
    return {
      ...(as !== null && { authorization: `Bearer ${as.key}` }),
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...headers,
    }
  }

  /** A request of the handshake generation. */
  legacy(method: string, params: object | undefined = undefined, options: RpcOptions = {}): Promise<RpcAnswer> {
    const message = { jsonrpc: '2.0', id: options.id ?? 1, method, ...(params !== undefined && { params }) }
    return this.send({ method: 'POST', body: JSON.stringify(message) }, options)
  }

  /** A request of the generation without a handshake, with its headers and envelope. */
  modern(method: string, params: Readonly<Record<string, unknown>> = {}, options: RpcOptions = {}): Promise<RpcAnswer> {
    return this.send(...modernRequest(method, params, options))
  }

  /** A request of the generation without handshake whose answer is read as it comes. */
  modernStream(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<Response> {
    const [message, options] = modernRequest(method, params, {})
    return fetch(this.url(), { ...message, headers: this.#headers(message, options) })
  }

  /** Calls a tool and returns its result. */
  async tool(name: string, args: object = {}, options: RpcOptions = {}): Promise<ToolAnswer> {
    const { body } = await this.legacy('tools/call', { name, arguments: args }, options)
    if (body.result === undefined) throw new Error(`${name}: ${JSON.stringify(body)}`)
    const { content, structuredContent, isError = false } = body.result
    return { isError, value: JSON.parse(content[0].text), content, structured: structuredContent }
  }

  /** The names that `tools/list` answers. */
  async toolNames(options: RpcOptions = {}): Promise<string[]> {
    const { body } = await this.legacy('tools/list', undefined, options)
    return body.result.tools.map((tool: { name: string }) => tool.name)
  }

  /** Initializes a session and returns its token. */
  async session(options: RpcOptions = {}): Promise<string> {
    const { headers } = await this.legacy('initialize', initializeParams(), options)
    return headers.get('mcp-session-id')!
  }
}

/** A request of the generation without handshake, with its headers and envelope. */
function modernRequest(
  method: string,
  params: Readonly<Record<string, unknown>>,
  options: RpcOptions,
): [RpcMessage, RpcOptions] {
  const name = params.name ?? params.uri
  const message = {
    jsonrpc: '2.0',
    id: options.id ?? 1,
    method,
    params: { ...params, _meta: { ...modernMeta, ...(params._meta as object) } },
  }
  const headers = {
    'mcp-protocol-version': modernVersion,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
    ...options.headers,
  }
  return [
    { method: 'POST', body: JSON.stringify(message) },
    { ...options, headers },
  ]
}

/** Parameters of a handshake. */
export const initializeParams = (protocolVersion = '2025-11-25') => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
})

/** A row's arguments as a tool takes them: an upload has its file as text, an update clears fields by name. */
export function toolArguments(
  { kind, method }: AnyOperation,
  args: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { file: _, ...rest } = args
  if (kind === 'upload') return { ...rest, filename: 'a.txt', text: 'hello' }
  const cleared = Object.keys(rest).filter(name => rest[name] === null)
  if (method !== 'PATCH' || cleared.length === 0) return rest
  return { ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null)), clear: cleared }
}
