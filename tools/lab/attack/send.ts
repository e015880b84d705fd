import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Target } from './target.ts'

/** An answer with the start of its body. */
export interface ReceivedAnswer {
  /** 0 if the connection ended without an answer. */
  readonly status: number
  /** The first kilobytes of the body. */
  readonly text: string
  /** Characters of the whole body. */
  readonly length: number
}

const receivedAnswer = (status: number, text: string): ReceivedAnswer => ({
  status,
  text: text.slice(0, 4_096),
  length: text.length,
})

/** The parts of a request. */
export interface RequestParts {
  readonly key?: string | undefined
  readonly body?: string | Blob | FormData
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a request with an unchanged body. */
export async function send(
  { url }: Target,
  method: string,
  path: string,
  { key, body, headers = {} }: RequestParts = {},
): Promise<ReceivedAnswer> {
  try {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(typeof body === 'string' && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body ?? null,
    })
    return receivedAnswer(response.status, await response.text())
  } catch (error) {
    return receivedAnswer(0, String(error))
  }
}

/** Calls a method of MCP. */
export const sendMcp = (
  target: Target,
  key: string | undefined,
  method: string,
  params: unknown,
): Promise<ReceivedAnswer> =>
  send(target, 'POST', '/mcp', {
    key,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
  })

/** Calls a tool; a result that is an error has the status that it names. */
export async function sendTool(
  target: Target,
  key: string | undefined,
  name: string,
  args: unknown = {},
): Promise<ReceivedAnswer> {
  const answer = await sendMcp(target, key, 'tools/call', { name, arguments: args })
  const refused = /"isError":true/.test(answer.text) ? /\\?"status\\?":\s*(\d{3})/.exec(answer.text) : null
  return refused === null ? answer : { ...answer, status: Number(refused[1]) }
}

/** Imports a file. */
export function sendImport(
  target: Target,
  key: string | undefined,
  file: Uint8Array<ArrayBuffer> | string,
  query = '',
  name = 'a.zip',
): Promise<ReceivedAnswer> {
  const body = new FormData()
  body.set('file', new File([file], name))
  return send(target, 'POST', `/api/v1/boards/import${query}`, { key, body })
}

/** A request whose body never ends. */
export interface UnfinishedRequest {
  /** The status of an early answer; 0 if the connection ends without one. */
  readonly answer: Promise<number>
  readonly end: () => void
}

/** Begins a request and sends the start of its body. */
export async function begin(
  { url }: Target,
  path: string,
  headers: Readonly<Record<string, string | number>>,
  start: string,
): Promise<UnfinishedRequest> {
  const sending: ClientRequest = request(url + path, { method: 'POST', agent: false, headers })
  const answer = new Promise<number>(resolve => {
    sending.on('response', (response: IncomingMessage) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sending.on('error', () => resolve(0))
    sending.on('close', () => resolve(0))
  })
  sending.flushHeaders()
  const isConnected = once(sending, 'socket')
  await isConnected
  sending.write(start)
  return { answer, end: () => sending.destroy() }
}
