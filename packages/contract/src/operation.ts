import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { LongFields } from './issues.ts'
import type { PermissionRule } from './permission-rules.ts'
import type { LimitedResource, Permission } from './permissions.ts'

/** The HTTP methods of operations. */
export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * What a caller may assume about repeating or undoing a call (mcp 7.7). The default follows from the method:
 * GET `read`; DELETE `destructive`; PATCH and PUT `repeatable`; POST `once`.
 */
export type Effect = 'read' | 'live' | 'destructive' | 'destructive_once' | 'repeatable' | 'once'

/** Which calls need confirmation: all, those with these query parameters, or those that archive more records. */
export type Confirm = true | { readonly beside: readonly string[] } | { readonly above: number }

/** Members of responses that are shown only once. */
type SecretMember = 'api_key' | 'secret' | 'url' | 'webhook_secret' | 'token'

type Shape = Readonly<Record<string, z.ZodType>>
// biome-ignore lint/complexity/noBannedTypes: the shape without keys, so that intersections add nothing
type NoParts = {}
type PathNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | PathNames<Rest> : never
type Params<Path extends string> = { readonly [K in PathNames<Path>]: z.ZodType }

interface Definition<Name, Path, P, Query, Body, Response, List, Kind> {
  /** The operation's name, also its MCP tool and OpenAPI operationId. */
  readonly name: Name
  readonly method: Method
  /** With `{param}` for path parameters. */
  readonly path: Path
  /** A permission, `-` for any valid key, `public` for none. */
  readonly permission: Permission | '-' | 'public'
  /** 2-4 words in sentence case, at most 32 characters. */
  readonly title: string
  /** One or two imperative sentences, at most 160 characters (mcp 7.2). */
  readonly description: string
  /** Path parameters; an id may be any string. */
  readonly params?: P
  readonly query?: Query
  readonly body?: Body
  /** A missing body counts as `{}`. */
  readonly bodyOptional?: true
  /** With this query parameter, the body may be any object and is taken unchanged. */
  readonly bodyFreeBeside?: string
  /** Other names of fields of the body or the query: `{ alias: name }`. Two different values are 400. */
  readonly aliases?: Readonly<Record<string, string>>
  /** The response body. Without `response`, `list` and `kind` the response is 204 without a body. */
  readonly response?: Response
  /** One item of the array in the response, with `X-Total-Count`. */
  readonly list?: List
  /**
   * `file`: bytes with a name; `upload`: multipart with one part `file`; `files`: multipart with parts `file`, or a
   * JSON body with `files`, which may also contain the query; `events`: an event stream.
   */
  readonly kind?: Kind
  /** The media types of a file in responses, without parameters; a range such as `image/*` if uploads decide. */
  readonly fileTypes?: readonly string[]
  /** Status of success; 200 or 204 by default. */
  readonly status?: 200 | 201 | 202 | 204
  /** Another status that the same body may have. */
  readonly otherStatus?: 200 | 202 | 503
  /** The codes in addition to those of every operation (401, 403, 404, 422, 500, 503). */
  readonly errors: readonly ErrorCode[]
  /**
   * The permissions that a call needs; by default only `permission` (access 2.3: children by field, by target, by kind
   * of record).
   */
  readonly asks?: PermissionRule
  /** The call changes the addressed record itself: its state limit is checked too (access 2.4). */
  readonly writesIn?: LimitedResource
  /**
   * The statuses of the addressed record in which the operation is open. In any other, and on an archived record, the
   * operation's own 409 comes before the 403 of the state limit (access 2.4).
   */
  readonly openIn?: readonly string[]
  readonly effect?: Effect
  /** The call reads a whole board or all boards, even if its response is small; a write does so for its response. */
  readonly reads?: 'board'
  /** The call may change which boards somebody sees, or what it may do there. */
  readonly changesAccess?: true
  /** The member of the response that must never be stored or logged: a replay returns null for it. */
  readonly secret?: SecretMember
  /** Synonyms for the operation search (mcp 11), besides the words of name, title and description. */
  readonly keywords?: readonly string[]
  /** The operation is an extension of the interface: it is listed in extensions.tsv, not in operations.tsv. */
  readonly extension?: true
  /**
   * The only callers, whatever their permissions: a person, or a person who is present (people). No MCP view lists it.
   */
  readonly caller?: 'person' | 'present'
  /** The calls that the person at an MCP client confirms first, if that is enabled (people 4). */
  readonly confirm?: Confirm
  /** The session of a CI run may call it (evidence 6.2). */
  readonly openToCi?: true
  /** The members of the response that are empty for a caller without this permission (access 2.3); MCP says which. */
  readonly parts?: Readonly<Record<string, Permission>>
  /** Arguments that tool lists for models omit, as few calls need them; every view accepts them (crew 8). */
  readonly aside?: readonly string[]
}

/** What an operation's implementation works on and returns, besides its own fields. */
export interface Operation<
  Name extends string = string,
  P extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Response extends z.ZodType | undefined = z.ZodType | undefined,
  List extends z.ZodType | undefined = z.ZodType | undefined,
  Kind extends 'file' | 'upload' | 'files' | 'events' | undefined = 'file' | 'upload' | 'files' | 'events' | undefined,
> {
  readonly name: Name
  readonly method: Method
  readonly path: string
  readonly permission: Permission | '-' | 'public'
  readonly title: string
  readonly description: string
  readonly params: P
  readonly query: Query
  readonly body: Body
  /** Whether there is a body: inside the package, reading `body` would build the schemas of the feature. */
  readonly hasBody: boolean
  readonly bodyOptional: boolean
  readonly bodyFreeBeside: string | undefined
  readonly aside: readonly string[]
  readonly aliases: Readonly<Record<string, string>>
  readonly response: Response
  readonly list: List
  readonly kind: Kind
  readonly fileTypes: readonly string[]
  readonly status: 200 | 201 | 202 | 204
  readonly otherStatus: 200 | 202 | 503 | undefined
  readonly errors: readonly ErrorCode[]
  readonly asks: PermissionRule | undefined
  readonly writesIn: LimitedResource | undefined
  readonly openIn: readonly string[] | undefined
  readonly effect: Effect
  /** How much is read for a response: one record, a page of a list, or a whole board. */
  readonly reads: 'record' | 'page' | 'board'
  readonly changesAccess: boolean
  readonly secret: SecretMember | undefined
  readonly keywords: readonly string[]
  readonly extension: boolean
  readonly caller: 'person' | 'present' | undefined
  readonly confirm: Confirm | undefined
  readonly openToCi: boolean
  readonly parts: Readonly<Record<string, Permission>> | undefined
}

/** An operation with any schemas, for loops over the registry. */
export type AnyOperation = Operation

/** The operations of one feature, by name. */
export type Feature = Readonly<Record<string, AnyOperation>>

type ParamsOf<O> = O extends { readonly params: infer P extends Shape }
  ? { readonly [K in keyof P]: z.output<P[K]> }
  : never
type QueryOf<O> = O extends { readonly query: infer Q extends Shape } ? z.output<z.ZodObject<Q>> : never
type BodyOf<O> = O extends { readonly body: infer B } ? (B extends z.ZodType ? z.output<B> : undefined) : never

/** The parsed input of an operation. */
export interface InputOf<O> {
  /** Body fields that were sent under two names with different values: 400 once access is settled. */
  readonly conflicts?: readonly string[]
  /**
   * Fields that are missing from the body, because they are too long unless the stored value is the same: otherwise 422
   * (trust 1).
   */
  readonly long?: LongFields
  readonly params: ParamsOf<O>
  readonly query: QueryOf<O>
  readonly body: BodyOf<O>
}

/**
 * Declares an operation: plain data, no I/O. The compiler refuses a misspelt key, an undeclared path
 * parameter and one that the path lacks.
 *
 * @example
 * const getCard = operation({
 *   name: 'get_card', method: 'GET', path: '/api/v1/cards/{card_id}', permission: 'CARDS_READ',
 *   title: 'Get card', description: 'Get a card with everything on it.',
 *   params: { card_id: Id }, response: Card, errors: [],
 * })
 */
export function operation<
  const Name extends string,
  const Path extends string,
  P extends Params<Path> = NoParts & Params<Path>,
  Query extends Shape = NoParts,
  Body extends z.ZodType | undefined = undefined,
  Response extends z.ZodType | undefined = undefined,
  List extends z.ZodType | undefined = undefined,
  const Kind extends 'file' | 'upload' | 'files' | 'events' | undefined = undefined,
>(
  definition: {
    [K in keyof Definition<Name, Path, P, Query, Body, Response, List, Kind>]: Definition<
      Name,
      Path,
      P,
      Query,
      Body,
      Response,
      List,
      Kind
    >[K]
  } & {
    readonly params?: P & { readonly [K in Exclude<keyof P, PathNames<Path>>]: never }
  } & (PathNames<Path> extends never ? unknown : { readonly params: unknown }) &
    ([Kind] extends ['file'] ? { readonly fileTypes: unknown } : unknown),
): Operation<Name, P, Query, Body, Response, List, Kind> {
  const answers =
    definition.response !== undefined ||
    definition.list !== undefined ||
    definition.kind === 'file' ||
    definition.kind === 'events'
  return {
    name: definition.name,
    method: definition.method,
    path: definition.path,
    permission: definition.permission,
    title: definition.title,
    description: definition.description,
    params: (definition.params ?? {}) as P,
    query: (definition.query ?? {}) as Query,
    body: definition.body as Body,
    hasBody: definition.body !== undefined,
    bodyOptional: definition.bodyOptional ?? false,
    bodyFreeBeside: definition.bodyFreeBeside,
    aside: definition.aside ?? [],
    aliases: definition.aliases ?? {},
    response: definition.response as Response,
    list: definition.list as List,
    kind: definition.kind as Kind,
    fileTypes: definition.fileTypes ?? [],
    status: definition.status ?? (answers ? 200 : 204),
    otherStatus: definition.otherStatus,
    errors: definition.errors,
    asks: definition.asks,
    writesIn: definition.writesIn,
    openIn: definition.openIn,
    effect: definition.effect ?? effectOf(definition.method),
    reads: definition.reads ?? (definition.list !== undefined && definition.method === 'GET' ? 'page' : 'record'),
    changesAccess: definition.changesAccess ?? false,
    openToCi: definition.openToCi ?? false,
    secret: definition.secret,
    keywords: definition.keywords ?? [],
    extension: definition.extension ?? false,
    caller: definition.caller,
    confirm: definition.confirm,
    parts: definition.parts,
  }
}

function effectOf(method: Method): Effect {
  if (method === 'GET') return 'read'
  if (method === 'DELETE') return 'destructive'
  return method === 'POST' ? 'once' : 'repeatable'
}

const namesOfPaths = new Map<string, readonly string[]>()

/** The names of the path parameters, in the order of the path. */
export function pathNames(path: string): readonly string[] {
  const cached = namesOfPaths.get(path)
  if (cached !== undefined) return cached
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]!)
  namesOfPaths.set(path, names)
  return names
}

/** Whether an operation changes nothing: its effect is `read` or `live`. */
export const isReading = ({ effect }: AnyOperation): boolean => effect === 'read' || effect === 'live'

/** Whether an operation reads what everybody may, without a key: nothing of its caller is checked. */
export const isOpenRead = (operation: AnyOperation): boolean =>
  operation.permission === 'public' && isReading(operation)
