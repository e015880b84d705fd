import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { Permission } from './permissions.ts'

/** HTTP methods of the 209 operations. */
export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** The resources whose records have state limits (access 2.4). */
export type LimitedResource = 'IDEATIONS' | 'REFINEMENTS' | 'SPECS' | 'SPRINTS' | 'CARDS'

/**
 * What a caller may assume about repeating or undoing a call (mcp 7.7). Left out, it follows from the
 * method: GET `read`; DELETE `destructive`; PATCH and PUT `repeatable`; POST `once`.
 */
export type Effect = 'read' | 'live' | 'destructive' | 'destructive_once' | 'repeatable' | 'once'

type Shape = Readonly<Record<string, z.ZodType>>
// biome-ignore lint/complexity/noBannedTypes: the shape without keys, so that intersections add nothing
type None = {}
type PathNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | PathNames<Rest> : never
type Params<Path extends string> = { readonly [K in PathNames<Path>]: z.ZodType }

/** The parsed input of a call, as permission rules see it. */
export interface Asked {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
}

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
  /** The query parameter beside which the body is an object of the caller's own, taken as it is. */
  readonly bodyFreeBeside?: string
  /** Other names of body fields: `{ alias: name }`. Both sent and different is 400. */
  readonly aliases?: Readonly<Record<string, string>>
  /** The answer's body. Neither `response`, `list` nor `kind`: 204 without body. */
  readonly response?: Response
  /** One item of the array that is answered, with `X-Total-Count`. */
  readonly list?: List
  /** `file`: bytes with a name; `upload`: multipart with one part `file`; `events`: an event stream. */
  readonly kind?: Kind
  /** The media types that a file comes in, without parameters; a range such as `image/*` where uploads decide. */
  readonly fileTypes?: readonly string[]
  /** Status of success: 200 or 204 unless said. */
  readonly status?: 200 | 201 | 202 | 204
  /** Another status that the same body can come with. */
  readonly otherStatus?: 200 | 202 | 503
  /** The codes besides those of every operation (401, 403, 404, 422, 500, 503). */
  readonly errors: readonly ErrorCode[]
  /**
   * The permissions this very call needs, in the order checked; `permission` alone unless said
   * (access 2.3: children by field, by target, by kind of record). `status` is that of the addressed
   * record, null where it has none.
   */
  readonly asks?: (input: Asked, status: string | null) => readonly Permission[]
  /** The call changes the addressed record itself: its state limit is asked too (access 2.4). */
  readonly writesIn?: LimitedResource
  readonly effect?: Effect
  /** The answer holds a key that must never be stored or logged. */
  readonly secret?: true
  /** Synonyms for the operation search (mcp 11), besides the words of name, title and description. */
  readonly keywords?: readonly string[]
}

/** What an operation's implementation works on and answers, beside its own fields. */
export interface Operation<
  Name extends string = string,
  P extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Response extends z.ZodType | undefined = z.ZodType | undefined,
  List extends z.ZodType | undefined = z.ZodType | undefined,
  Kind extends 'file' | 'upload' | 'events' | undefined = 'file' | 'upload' | 'events' | undefined,
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
  readonly bodyOptional: boolean
  readonly bodyFreeBeside: string | undefined
  readonly aliases: Readonly<Record<string, string>>
  readonly response: Response
  readonly list: List
  readonly kind: Kind
  readonly fileTypes: readonly string[]
  readonly status: 200 | 201 | 202 | 204
  readonly otherStatus: 200 | 202 | 503 | undefined
  readonly errors: readonly ErrorCode[]
  readonly asks: ((input: Asked, status: string | null) => readonly Permission[]) | undefined
  readonly writesIn: LimitedResource | undefined
  readonly effect: Effect
  readonly secret: boolean
  readonly keywords: readonly string[]
}

/** An operation whatever its schemas: what loops over the registry work on. */
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
  /** Body fields that came under two names with different values: 400 once access is settled. */
  readonly conflicts?: readonly string[]
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
  P extends Params<Path> = None & Params<Path>,
  Query extends Shape = None,
  Body extends z.ZodType | undefined = undefined,
  Response extends z.ZodType | undefined = undefined,
  List extends z.ZodType | undefined = undefined,
  const Kind extends 'file' | 'upload' | 'events' | undefined = undefined,
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
    bodyOptional: definition.bodyOptional ?? false,
    bodyFreeBeside: definition.bodyFreeBeside,
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
    effect: definition.effect ?? effectOf(definition.method),
    secret: definition.secret ?? false,
    keywords: definition.keywords ?? [],
  }
}

function effectOf(method: Method): Effect {
  if (method === 'GET') return 'read'
  if (method === 'DELETE') return 'destructive'
  return method === 'POST' ? 'once' : 'repeatable'
}

/** The names of the path parameters, in the order of the path. */
export const pathNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]!)

/**
 * Permission rule of a PATCH (access 2.3): the permission of every supplied field, its own child where
 * there is one, else the parent; the parent when no known field is supplied.
 */
export function byField(
  parent: Permission,
  children: Readonly<Record<string, Permission>>,
  ...further: readonly Permission[]
): (input: Asked) => readonly Permission[] {
  return ({ body }) => {
    const fields = Object.keys(body)
    return [...new Set(fields.length === 0 ? [parent] : fields.map(field => children[field] ?? parent)), ...further]
  }
}

/** Permission rule of a move (access 2.3): `<group>_<TARGET>`, the target in the body's `field`. */
export function byTarget(group: Permission, field = 'status'): (input: Asked) => readonly Permission[] {
  return ({ body }) => [`${group}_${String(body[field]).toUpperCase()}` as Permission]
}

/** Permission rule that is the same for every call: a child, or several. */
export function always(...names: readonly Permission[]): () => readonly Permission[] {
  return () => names
}

/** Whether an operation changes nothing: its effect is to read, once or as events come. */
export const isReading = ({ effect }: AnyOperation): boolean => effect === 'read' || effect === 'live'
