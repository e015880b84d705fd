import { type AnyOperation, pathNames, registry } from '@specboard/contract'
import { z } from 'zod'

/** A link from an answer: an operation, and where its path parameters come from (OpenAPI's Link Object). */
export interface Link {
  readonly operationId: string
  readonly description: string
  readonly parameters: Readonly<Record<string, string>>
}

/**
 * The links from a create's answer, by operation: to what reads, changes and deletes the new record, and to what lists
 * and creates below it. Empty if nothing new is addressed.
 * @param among the operations that may be linked
 */
export function linksOf(operation: AnyOperation, among: readonly AnyOperation[] = registry): Record<string, Link> {
  if (operation.method !== 'POST' || operation.status !== 201) return {}
  const reference = madeBy(operation)
  const targets = among.filter(target =>
    reference === undefined ? isSamePath(operation, target) : isAbout(target, reference),
  )
  return Object.fromEntries(
    targets.flatMap(target => {
      const parameters = parametersOf(operation, target, reference?.key)
      if (parameters === undefined) return []
      return [[target.name, { operationId: target.name, description: target.title, parameters }] as const]
    }),
  )
}

/** How paths reference the record that a create made. */
interface LinkOfCreate {
  /** The path parameter. */
  readonly key: string
  /** The prefix of these paths, if the parameter alone is used for other records too. */
  readonly within: string
}

/** Whether an operation works on the record that a create addressed by its own path, such as a grant. */
const isSamePath = (create: AnyOperation, target: AnyOperation): boolean =>
  target.path === create.path && changing.has(target.method)

const changing: ReadonlySet<string> = new Set(['PATCH', 'PUT', 'DELETE'])

/** Whether a path ends with a record, or leads one step below it. */
const isAbout = ({ path }: AnyOperation, { key, within }: LinkOfCreate): boolean =>
  path.startsWith(within) && new RegExp(String.raw`\{${key}\}(?:/[^/{}]+)?$`).test(path)

/**
 * How the record made by a create is addressed: as in an operation that answers the same record; otherwise by the next
 * parameter of the create's own path; otherwise by a field of its answer that an operation takes after the create's own
 * parameters. Undefined if its own path addresses it, or nothing does.
 */
function madeBy(create: AnyOperation): LinkOfCreate | undefined {
  if (registry.some(target => isSamePath(create, target))) return undefined
  const own = pathNames(create.path)
  const alike = registry.filter(({ response, status }) => response === create.response && status !== 201)
  const whole = alike.find(({ path }) => path.endsWith('}'))
  if (whole !== undefined) return { key: pathNames(whole.path).at(-1)!, within: '' }
  const within = `${create.path}/{`
  const below = registry.find(({ path }) => path.startsWith(within))
  if (below !== undefined) return { key: pathNames(below.path)[own.length]!, within }
  const further = registry.filter(
    ({ path }) => isFurther(pathNames(path), own) && answers(create, pathNames(path).at(-1)!),
  )
  const key = [...alike, ...further].flatMap(({ path }) => pathNames(path).at(-1) ?? [])[0]
  return key === undefined ? undefined : { key, within: '' }
}

/** Whether the parameters of a path are those of another plus one. */
const isFurther = (names: readonly string[], own: readonly string[]): boolean =>
  names.length === own.length + 1 && own.every((name, index) => names[index] === name)

/** Where the path parameters of a target come from; undefined when there is no source for one of them. */
function parametersOf(
  create: AnyOperation,
  target: AnyOperation,
  key: string | undefined,
): Record<string, string> | undefined {
  const own = pathNames(create.path)
  const sources = pathNames(target.path).map(name => [name, sourceOf(create, own, name, key)] as const)
  if (sources.some(([, source]) => source === undefined)) return undefined
  return Object.fromEntries(sources.map(([name, source]) => [name, source!]))
}

function sourceOf(
  create: AnyOperation,
  own: readonly string[],
  name: string,
  key: string | undefined,
): string | undefined {
  if (name !== key && own.includes(name)) return `$request.path.${name}`
  if (answers(create, name)) return `$response.body#/${name}`
  return name === key && answers(create, 'id') ? '$response.body#/id' : undefined
}

/** Whether an answer always contains a field, never null. */
function answers({ response }: AnyOperation, name: string): boolean {
  const field = response instanceof z.ZodObject ? (response.shape[name] as z.ZodType | undefined) : undefined
  return field !== undefined && field._zod.optin === undefined && !field.safeParse(null).success
}
