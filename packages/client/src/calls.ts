import type { OperationName, Operations } from '@specboard/contract'
import type { z } from 'zod'
import { addressAt } from './address.ts'
import { type CallOptions, ClientError, type ClientOptions, type Listed } from './call.ts'

export { type CallOptions, ClientError, type ClientOptions, type Listed }

type Shape = Readonly<Record<string, z.ZodType>>
type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name
type ParamsIn<O> = O extends { readonly params: infer P extends Shape }
  ? { readonly [K in keyof P]: z.input<P[K]> }
  : unknown
type QueryIn<O> = O extends { readonly query: infer Q extends Shape }
  ? [keyof Q] extends [never]
    ? unknown
    : z.input<z.ZodObject<Q>>
  : unknown
type BodyIn<O> = O extends { readonly body: infer B extends z.ZodType } ? z.input<B> : unknown
type FileIn<O> = O extends { readonly kind: 'upload' } ? { readonly file: File } : unknown

/** The arguments of an operation: path, query and body in one object under their API names. */
export type Arguments<O> = ParamsIn<O> & QueryIn<O> & BodyIn<O> & FileIn<O>

/**
 * The result of an operation: the record, `{items, total}` for a list, the raw response for a file or stream, undefined
 * for a success without a body.
 *
 * @example
 * const csv = await (await client.exportBoardAnalytics({ board_id })).text()
 */
export type Result<O> = O extends { readonly list: infer L extends z.ZodType }
  ? Listed<z.output<L>>
  : O extends { readonly kind: 'file' | 'events' }
    ? Response
    : O extends { readonly response: infer R extends z.ZodType }
      ? z.output<R>
      : undefined

type Argument<O> =
  Partial<Arguments<O>> extends Arguments<O>
    ? [args?: Arguments<O>, options?: CallOptions]
    : [args: Arguments<O>, options?: CallOptions]

/** One method per operation, named in camel case: `client.moveCard({ card_id, target_status: 'done' })`. */
export type Client = {
  readonly [K in OperationName as Camel<K>]: (...args: Argument<Operations[K]>) => Promise<Result<Operations[K]>>
}

/** How the client calls an operation: how its arguments become a request, and its response a result. */
export interface Route {
  readonly name: string
  readonly method: string
  readonly path: string
  /** The arguments that go into the query; a name that is also in the path goes there. */
  readonly query: readonly string[]
  readonly hasBody: boolean
  readonly kind: 'json' | 'list' | 'upload' | 'raw'
}

/** The values of a parameter: a list is sent as repeated parameters. */
const eachOf = (value: unknown): readonly unknown[] => (Array.isArray(value) && value.length > 0 ? value : [value])

/** The path and body of a request, from flattened arguments. */
export function requestTo(
  { path: template, query: names, hasBody }: Pick<Route, 'path' | 'query' | 'hasBody'>,
  args: Readonly<Record<string, unknown>>,
): { readonly path: string; readonly body: unknown } {
  const inPath = new Set(Array.from(template.matchAll(/\{(\w+)\}/g), match => match[1]!))
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(args[name])))
  const query = new URLSearchParams()
  for (const name of names)
    if (args[name] !== undefined && !inPath.has(name))
      for (const value of eachOf(args[name])) query.append(name, String(value))
  const isRest = ([name]: [string, unknown]) => !inPath.has(name) && !names.includes(name)
  const rest = Object.fromEntries(Object.entries(args).filter(isRest))
  return { path: query.size === 0 ? path : `${path}?${query}`, body: hasBody ? rest : undefined }
}

/** A request whose body is JSON, if it has one. */
export interface JsonRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly signal: AbortSignal | null
}

/** The members of a JSON response that a client reads. */
export type JsonResponse = Pick<Response, 'ok' | 'status' | 'json'> & { readonly headers: Pick<Headers, 'get'> }

/** The options of a client, which may have a simpler function than `fetch` for JSON requests. */
export interface CallerOptions extends ClientOptions {
  readonly ask?: (address: URL, request: JsonRequest) => Promise<JsonResponse>
}

async function send(
  options: CallerOptions,
  route: Route,
  args: Readonly<Record<string, unknown>>,
  call: CallOptions,
): Promise<unknown> {
  const { path, body } = requestTo(route, args)
  const address = addressAt(options.url, path)
  const init: JsonRequest = {
    method: route.method,
    headers: {
      ...(options.key !== undefined && { authorization: `Bearer ${options.key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(call.ifMatch !== undefined && { 'if-match': call.ifMatch }),
      ...(call.idempotencyKey !== undefined && { 'idempotency-key': call.idempotencyKey }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal: call.signal ?? null,
  }
  const { ask, fetch: request = fetch } = options
  const isOfJson = route.kind === 'json' || route.kind === 'list'
  if (ask !== undefined && options.fetch === undefined && isOfJson && call.answered === undefined)
    return resultOf(route, await ask(address, init))
  const form = route.kind === 'upload' ? formOf(args.file as File) : undefined
  const response = await request(address, { ...init, body: form ?? init.body })
  if (response.ok) call.answered?.(response)
  return response.ok && route.kind === 'raw' ? response : resultOf(route, response)
}

/** @throws ClientError for a refusal */
async function resultOf(route: Route, response: JsonResponse): Promise<unknown> {
  if (!response.ok) throw refusalOf(route.name, response.status, await response.json().catch(() => undefined))
  if (response.status === 204) return undefined
  const body: unknown = await response.json()
  return route.kind === 'list' ? { items: body, total: Number(response.headers.get('x-total-count')) } : body
}

function refusalOf(operation: string, status: number, body: unknown): ClientError {
  if (typeof body !== 'object' || body === null || !('detail' in body)) return new ClientError(operation, status, body)
  const { detail, next_actions } = body as { detail: unknown; next_actions?: unknown }
  return new ClientError(operation, status, detail, Array.isArray(next_actions) ? next_actions : [])
}

function formOf(file: File): FormData {
  const form = new FormData()
  form.set('file', file)
  return form
}

/** The method of an operation, by its name. */
export const methodName = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Calls operations by name, for callers that get the name from the service, such as next actions. */
export function callerOf(
  routes: readonly Route[],
  options: ClientOptions,
): (name: string, args?: Readonly<Record<string, unknown>>, call?: CallOptions) => Promise<unknown> {
  const byName = new Map(routes.map(route => [route.name, route]))
  return async (name, args = {}, call = {}) => {
    const route = byName.get(name)
    if (route === undefined) throw new Error(`There is no operation ${name}.`)
    return send(options, route, args, call)
  }
}

/** A typed client with given routes, for browsers, which do not need the schemas of the registry. */
export function clientOf(routes: readonly Route[], options: CallerOptions): Client {
  const methods = routes.map(route => [
    methodName(route.name),
    (args: Readonly<Record<string, unknown>> = {}, call: CallOptions = {}) => send(options, route, args, call),
  ])
  return Object.fromEntries(methods) as Client
}
