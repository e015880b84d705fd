import {
  classifyInboundRequest,
  type JSONRPCNotification,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
} from '@modelcontextprotocol/server'
import {
  atOnce,
  freeJsonLimits,
  hasTooManyParts,
  type InPieces,
  maxJsonParts,
  reservedKeyRefusal,
} from '@specboard/contract'
import { inPieces, largeBodyBytes, oneAtATime } from '@specboard/http'
import { isObject } from '../calls/lean-value.ts'
import { rpcError } from './refusals.ts'

/** Deepest nesting of a body. */
const maxDepth = 64

/** The message in a body. */
export type Message =
  | { readonly kind: 'request'; readonly message: JSONRPCRequest }
  | { readonly kind: 'notification'; readonly message: JSONRPCNotification }
  | { readonly kind: 'response' }

/** The message in a body, or a refusal: the body is not JSON, is an array, is nested too deep or is not JSON-RPC. */
export function messageOf(text: string): Message | Response {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return notJson()
  }
  return atOnce(judged(value))
}

/** The message in a body; a large one is parsed alone and validated in pieces (trust 1). */
export async function messageInPieces(bytes: Uint8Array): Promise<Message | Response> {
  const text = () => utf8.decode(bytes)
  if (bytes.byteLength <= largeBodyBytes) return messageOf(text())
  if (await inPieces(hasTooManyParts(bytes))) return tooManyParts()
  let value: unknown
  try {
    value = await oneAtATime(() => JSON.parse(text()))
  } catch {
    return notJson()
  }
  return inPieces(judged(value))
}

const utf8 = new TextDecoder()

const tooManyParts = () =>
  rpcError(400, -32600, `Invalid request: more than ${maxJsonParts} objects, lists and commas.`)

const notJson = () => rpcError(400, -32700, 'Parse error: the body is not JSON.')

function* judged(value: unknown): InPieces<Message | Response> {
  const id = isObject(value) && isRequestId(value.id) ? value.id : null
  if (yield* isDeeper(value, maxDepth))
    return rpcError(400, -32600, `Invalid request: nested deeper than ${maxDepth}.`, id)
  const kind = kindOf(value)
  if (kind === undefined)
    return rpcError(400, -32600, 'Invalid request: send one JSON-RPC message; batches are not accepted.', id)
  if (kind === 'response') return { kind }
  if (hasLostArgument(value)) return rpcError(400, -32602, `Invalid params: each argument ${reservedKeyRefusal}.`, id)
  return { kind, message: withFewArguments(value as JSONRPCRequest | JSONRPCNotification) } as Message
}

/** Whether a message has an argument `__proto__`, which the library would silently drop (walls 2, rule 1). */
const hasLostArgument = (message: unknown): boolean =>
  isObject(message) &&
  isObject(message.params) &&
  isObject(message.params.arguments) &&
  Object.hasOwn(message.params.arguments, '__proto__')

/** One argument more than a tool takes (trust 1). */
const maxArguments = freeJsonLimits.members + 1

/**
 * A message with at most this many arguments, because the library would copy each of them more than once. A call with
 * all of them is refused.
 */
function withFewArguments<Sent extends JSONRPCRequest | JSONRPCNotification>(message: Sent): Sent {
  const args = message.params?.arguments
  if (!isObject(args)) return message
  const names = Object.keys(args)
  if (names.length <= maxArguments) return message
  const few = Object.fromEntries(names.slice(0, maxArguments).map(name => [name, args[name]]))
  return { ...message, params: { ...message.params, arguments: few } }
}

const isRequestId = (id: unknown): id is RequestId => typeof id === 'string' || Number.isSafeInteger(id)

/** The kind of a JSON-RPC message; undefined for anything else. */
function kindOf(value: unknown): Message['kind'] | undefined {
  if (!isObject(value) || value.jsonrpc !== '2.0') return undefined
  if (typeof value.method !== 'string')
    return Object.hasOwn(value, 'result') || isObject(value.error) ? 'response' : undefined
  if (value.params !== undefined && !isObject(value.params)) return undefined
  if (!Object.hasOwn(value, 'id')) return 'notification'
  return isRequestId(value.id) ? 'request' : undefined
}

/** Members examined in one piece of work. */
const membersOfAPiece = 20_000

/** Whether a value is nested deeper than a number of levels; examines one level after the other. */
function* isDeeper(value: unknown, depth: number): InPieces<boolean> {
  let examined = 0
  let level: unknown[] = [value]
  for (let at = 0; level.length > 0; at++) {
    const below: unknown[] = []
    for (const outer of level) {
      if (typeof outer !== 'object' || outer === null) continue
      if (at === depth) return true
      for (const inner of Array.isArray(outer) ? outer : Object.values(outer)) {
        if (typeof inner === 'object') below.push(inner)
        if (++examined % membersOfAPiece === 0) yield
      }
    }
    level = below
  }
  return false
}

/** The first revision without a handshake; later ones sort after it. */
const firstModern = '2026-07-28'

/**
 * Whether a message belongs to the generation without a handshake: it claims a revision in its envelope, or its header
 * names one. The library decides about an `initialize` that also has a claim.
 */
export function isModern(message: JSONRPCRequest | JSONRPCNotification, version: string | null): boolean {
  const { method, params } = message
  const claims = isObject(params?._meta) && Object.hasOwn(params._meta, PROTOCOL_VERSION_META_KEY)
  if (method === 'initialize' && claims) {
    const header = version === null ? {} : { protocolVersionHeader: version }
    return classifyInboundRequest({ httpMethod: 'POST', body: message, ...header }).kind !== 'legacy'
  }
  return claims || (version !== null && version.trim() >= firstModern)
}
