/** The plugin's own answers while the service is not reachable, or without a key (harness 2). */
import { protocolVersions } from '@specboard/mcp/protocol-versions'
import type { KnownLists } from './known-lists.ts'

export type Message = Readonly<Record<string, unknown>>

export interface Request extends Message {
  readonly id: string | number
  readonly method: string
  readonly params?: Message
}

/** Why a request did not get through. */
export interface RequestFailure {
  readonly status: number
  readonly detail: unknown
}

export const isObject = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const revisionKey = 'io.modelcontextprotocol/protocolVersion'
const serverInfoKey = 'io.modelcontextprotocol/serverInfo'

/** The error code for a revision that the server does not know. */
const unsupportedRevision = -32022

/**
 * The protocol revision that a request names in the generation without handshake; undefined in the generation with one.
 */
export function revisionOf({ method, params }: Pick<Request, 'method' | 'params'>): string | undefined {
  const meta = params?._meta
  const revision = isObject(meta) ? meta[revisionKey] : undefined
  return typeof revision === 'string' && method !== 'initialize' ? revision : undefined
}

/** The refusal of a request that did not get through: an error result for a tool call, otherwise an error. */
export function refusal(request: Request, { status, detail }: RequestFailure): Message {
  const { id, method } = request
  if (method === 'tools/call') {
    const content = [{ type: 'text', text: JSON.stringify({ status, detail }) }]
    const whole = revisionOf(request) === undefined ? {} : { resultType: 'complete' }
    return { jsonrpc: '2.0', id, result: { content, isError: true, ...whole } }
  }
  const message =
    isObject(detail) && typeof detail.message === 'string' ? detail.message : `The server answered ${status}.`
  return { jsonrpc: '2.0', id, error: { code: -32603, message, data: { status, detail } } }
}

/** The answer to a request that did not get through: the service's last answer, otherwise why it failed. */
export function offlineAnswer(request: Request, lists: KnownLists, failure: RequestFailure): Message {
  const revision = revisionOf(request)
  return revision === undefined
    ? legacyAnswer(request, lists, failure)
    : modernAnswer(request, revision, lists, failure)
}

/** The server's name and version if the service never answered here. */
const unknownInfo = { name: 'specboard', version: '0' }
const capabilities = { tools: { listChanged: true }, prompts: {}, resources: { listChanged: true } }

function legacyAnswer(request: Request, lists: KnownLists, failure: RequestFailure): Message {
  const { id, method, params } = request
  if (method === 'ping') return { jsonrpc: '2.0', id, result: {} }
  const cached = lists.of(method)
  if (method === 'initialize') {
    const { legacy } = protocolVersions
    const protocolVersion = legacy.find(version => version === params?.protocolVersion) ?? legacy[0]
    const result = { ...(cached ?? { capabilities, serverInfo: unknownInfo }), protocolVersion }
    return { jsonrpc: '2.0', id, result }
  }
  return cached === undefined ? refusal(request, failure) : { jsonrpc: '2.0', id, result: cached }
}

function modernAnswer(request: Request, revision: string, lists: KnownLists, failure: RequestFailure): Message {
  const { id, method } = request
  const { modern: supported } = protocolVersions
  if (!supported.some(version => version === revision)) {
    const message = `Unsupported protocol version: ${revision}`
    return {
      jsonrpc: '2.0',
      id,
      error: { code: unsupportedRevision, message, data: { supported, requested: revision } },
    }
  }
  const discovery = lists.of('server/discover')
  const cached =
    method === 'server/discover' ? (discovery ?? { supportedVersions: supported, capabilities }) : lists.of(method)
  if (cached === undefined) return refusal(request, failure)
  const meta = isObject(discovery?._meta) ? discovery._meta : { [serverInfoKey]: unknownInfo }
  // None of this may be cached: the service is asked again as soon as it is reachable.
  return {
    jsonrpc: '2.0',
    id,
    result: { ...cached, resultType: 'complete', ttlMs: 0, cacheScope: 'private', _meta: meta },
  }
}
