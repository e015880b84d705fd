import { addressAt } from '@specboard/client/address'
import { ask } from './ask.ts'
import { Failure, reaching } from './failure.ts'
import { RefusalError } from './send.ts'
import type { KeyedTarget } from './target.ts'

/** The value that a tool answers. */
export type ToolValue = Readonly<Record<string, unknown>>

/** A service on which to call tools, and which of the two forms their answers have (crew 8). */
export interface ToolTarget extends KeyedTarget {
  readonly answers?: 'lean' | 'whole'
}

interface RpcMessage {
  readonly result?: {
    readonly isError?: boolean
    readonly content?: readonly { readonly text: string }[]
    readonly contents?: readonly { readonly text?: string }[]
  }
  readonly error?: { readonly message: string }
}

/**
 * Calls a tool of a service: its answers are short, and it accepts references wherever an id is expected.
 * @throws Refused with the tool's message; Failure if nobody answers, or not over MCP
 */
export async function callTool(target: ToolTarget, name: string, args: object): Promise<ToolValue> {
  const { result, error } = await rpc(target, 'tools/call', { name, arguments: args })
  const text = result?.content?.[0]?.text
  if (text === undefined) throw new Failure('NO_ANSWER', `${name}: ${error?.message ?? 'no answer'}`)
  const value = JSON.parse(text) as ToolValue
  if (result?.isError) throw new RefusalError(name, Number(value.status ?? 500), value)
  return value
}

/**
 * The text of a page of a service, as agents read it.
 * @throws Failure for a page that does not exist
 */
export async function readPage(target: KeyedTarget, uri: string): Promise<string> {
  const { result, error } = await rpc(target, 'resources/read', { uri })
  const text = result?.contents?.[0]?.text
  if (text === undefined) throw new Failure('NOT_FOUND', error?.message ?? `${uri} has no text.`)
  return text
}

async function rpc(target: ToolTarget, method: string, params: object): Promise<RpcMessage> {
  const response = await reaching(target, () =>
    ask(addressAt(target.url, `/mcp?toolsets=all&answers=${target.answers ?? 'whole'}`), {
      method: 'POST',
      headers: { authorization: `Bearer ${target.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: null,
    }),
  )
  const body: unknown = await response.json().catch(() => null)
  if (!response.ok && !isMessage(body)) throw new RefusalError(method, response.status, body)
  if (!isMessage(body)) throw new Failure('NO_ANSWER', `${target.url}/mcp returned no message.`)
  return body
}

const isMessage = (value: unknown): value is RpcMessage =>
  typeof value === 'object' && value !== null && ('result' in value || ('error' in value && 'jsonrpc' in value))
