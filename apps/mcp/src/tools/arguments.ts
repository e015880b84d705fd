import { type AnyOperation, pathNames, type ToolHint, toolHints } from '@specboard/contract'
import { z } from 'zod'
import { additionsOf } from './additions.ts'
import {
  core,
  descriptionOf,
  isNullable,
  isOptional,
  kindOf,
  type LeanProperty,
  leanType,
  shapeLine,
} from './lean-schema.ts'

/** Where an argument's value goes: a part of the operation's input, or the tool's own options. */
export interface ArgumentPlace {
  readonly part: 'path' | 'query' | 'body' | 'tool'
  /** The field; null for the whole body. */
  readonly field: string | null
}

/** One argument of a tool. */
export interface Argument {
  readonly name: string
  /** The schema of the first place applies; the other places get the same value (mcp 8.2). */
  readonly places: readonly ArgumentPlace[]
  readonly schema: z.ZodType
  readonly type: LeanProperty
  readonly description: string | undefined
  /** One line that describes the shape of an object. */
  readonly shape: string | undefined
  /** What the tool list shows in addition to the schema. */
  readonly hint: ToolHint
  readonly required: boolean
  /** Whether null is a valid value, even for a required argument. */
  readonly nullable: boolean
  /** The kind of value it accepts; undefined if it accepts several. */
  readonly kind: LeanProperty['type'] | undefined
  /** For arrays: the kind of its items. */
  readonly itemKind: LeanProperty['type'] | undefined
  /** Whether `clear` can empty the field. */
  readonly clearable: boolean
}

/** How the arguments of a tool become the parameters, query and body of its operation. */
export interface ArgumentPlan {
  readonly arguments: ReadonlyMap<string, Argument>
  /** The schema of the tool's own arguments. */
  readonly tool: z.ZodObject
  /** Whether the body accepts undeclared keys: an argument that is not listed above becomes one. */
  readonly ownKeys: boolean
  /** The path parameters in order; the last one names the record that a deletion removes. */
  readonly pathNames: readonly string[]
}

/** Names that deliberately appear in two places, by operation; any other clash fails the tests (mcp 8.2). */
export const knownClashes: Readonly<Record<string, readonly string[]>> = {
  create_refinement: ['ideation_id'],
  create_sprint: ['spec_id'],
}

const plans = new WeakMap<AnyOperation, ArgumentPlan>()

/** The plan of an operation, made once. */
export function planOf(operation: AnyOperation): ArgumentPlan {
  const plan = plans.get(operation) ?? makePlan(operation)
  plans.set(operation, plan)
  return plan
}

interface Candidate {
  readonly name: string
  readonly place: ArgumentPlace
  readonly schema: z.ZodType
}

function makePlan(operation: AnyOperation): ArgumentPlan {
  const inPath = pathNames(operation.path)
  const own = [
    ...inPath.map(name => candidate('path', name, operation.params[name]!)),
    // If the operation accepts input in two forms, the tool uses the one that is entirely in the body.
    ...Object.entries(operation.bodyFreeBeside === undefined ? operation.query : {}).map(([name, schema]) =>
      candidate('query', name, schema),
    ),
    ...bodyCandidates(operation),
  ]
  const byName = new Map<string, Argument>()
  const add = ({ name, place, schema }: Candidate) => {
    const existing = byName.get(name)
    byName.set(
      name,
      existing === undefined
        ? argumentOf(operation, name, place, schema)
        : { ...existing, places: [...existing.places, place] },
    )
  }
  for (const item of own) add(item)
  const tool = additionsOf(
    operation,
    [...byName.values()].some(argument => argument.clearable),
  )
  for (const [name, schema] of Object.entries(tool)) add(candidate('tool', name, schema))
  const body = operation.body === undefined ? undefined : core(operation.body)
  const ownKeys = body instanceof z.ZodObject && body.def.catchall?._zod.def.type === 'unknown'
  return { arguments: byName, tool: z.object(tool), ownKeys, pathNames: inPath }
}

const candidate = (part: ArgumentPlace['part'], name: string, schema: z.ZodType): Candidate => ({
  name,
  place: { part, field: name },
  schema,
})

/** The fields of a body; an array is the argument `items`, any other value except an object is `value` (mcp 8.3). */
function bodyCandidates({ body }: AnyOperation): Candidate[] {
  if (body === undefined) return []
  const inner = core(body)
  if (inner instanceof z.ZodObject)
    return Object.entries(inner.shape).map(([name, schema]) => candidate('body', name, schema as z.ZodType))
  const name = kindOf(inner) === 'array' ? 'items' : 'value'
  return [{ name, place: { part: 'body', field: null }, schema: body }]
}

function argumentOf(operation: AnyOperation, name: string, place: ArgumentPlace, schema: z.ZodType): Argument {
  const inner = core(schema)
  // A tool accepts one file in place of the list.
  const isList = operation.kind === 'files' && name === 'files'
  const required = place.field === null ? !operation.bodyOptional : !isOptional(schema) && !isList
  const nullable = isNullable(schema)
  return {
    name,
    places: [place],
    schema,
    type: leanType(schema),
    description: descriptionOf(schema),
    shape: shapeLine(schema),
    hint: toolHints.get(schema) ?? {},
    required,
    nullable,
    kind: kindOf(schema),
    itemKind: inner instanceof z.ZodArray ? kindOf(inner.element as z.ZodType) : undefined,
    clearable: operation.method === 'PATCH' && place.part === 'body' && !required && nullable,
  }
}

/** Names that appear in several places: a person must decide whether they mean the same. */
export const clashesOf = (operation: AnyOperation): string[] =>
  [...planOf(operation).arguments.values()].filter(({ places }) => places.length > 1).map(({ name }) => name)
