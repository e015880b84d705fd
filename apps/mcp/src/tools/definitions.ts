import { type AnyOperation, operationByName, type ToolHint } from '@specboard/contract'
import { type ToolAnnotations, toolAnnotations } from './annotations.ts'
import { answersList, itemSchema } from './answers.ts'
import { type Argument, planOf } from './arguments.ts'
import { type LeanProperty, shapeLine } from './lean-schema.ts'
import { metaDefinitions } from './meta-definitions.ts'
import { type OutputSchema, outputSchemaOf } from './output-schemas.ts'
import type { View } from './view.ts'

/** The JSON Schema of a tool's arguments: flat, closed only when there are none (mcp 7.3). */
export interface InputSchema {
  readonly type: 'object'
  readonly properties?: Readonly<Record<string, LeanProperty>>
  readonly required?: readonly string[]
  readonly additionalProperties?: false
}

/** A tool in `tools/list`. */
export interface ToolDefinition {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: InputSchema
  readonly annotations: ToolAnnotations
  readonly outputSchema?: OutputSchema
}

/** The tool that spells out a shared shape, by argument; for any other argument it is the first tool in the list. */
const homes: Readonly<Record<string, string>> = {
  entities: 'create_ideation_architecture',
  interfaces: 'create_ideation_architecture',
  diagrams: 'create_ideation_architecture',
  settings: 'update_board',
  test_scenarios: 'create_spec',
  business_rules: 'create_spec',
  api_contracts: 'create_spec',
  decisions: 'create_spec',
}

/** Shapes up to this length are spelled out each time: naming another tool would not be shorter. */
const shortShape = 40

/** The text that describes an argument's shape in a tool. */
type Describe = (tool: string, shape: string, hint: ToolHint) => string

const inFull: Describe = (_, shape) => shape

/** One tool with every shape spelled out; when bound to a board, without `board_id`. */
export const wholeDefinition = (operation: AnyOperation, bound = false): ToolDefinition =>
  definitionOf(operation, inFull, { bound, outputSchemas: false, lean: false })

/**
 * The tools of a list. A shape that several tools share is spelled out in one, which the others name (mcp 7.4), except
 * in the lists made for models, where each is spelled out (crew 8).
 */
export function definitionsOf(
  names: readonly string[],
  view: Pick<View, 'boardId' | 'outputSchemas' | 'lean'>,
): ToolDefinition[] {
  const operations = names.flatMap(name => operationByName.get(name) ?? [])
  const homeOf = shapeHomes(operations)
  const listed = new Set(names)
  const describe: Describe = (tool, shape, { like }) => {
    const home = like !== undefined && listed.has(like) ? like : homeOf.get(shape)
    return home === undefined || home === tool ? shape : `as ${home}`
  }
  const options = { bound: view.boardId !== undefined, outputSchemas: view.outputSchemas, lean: view.lean }
  return names.flatMap(name => {
    const operation = operationByName.get(name)
    return operation === undefined
      ? (metaDefinitions.get(name) ?? [])
      : definitionOf(operation, view.lean ? inFull : describe, options)
  })
}

function shapeHomes(operations: readonly AnyOperation[]): ReadonlyMap<string, string> {
  const homeOf = new Map<string, string>()
  for (const operation of operations)
    for (const { name, shape } of planOf(operation).arguments.values()) {
      if (shape === undefined || shape.length <= shortShape) continue
      if (!homeOf.has(shape) || homes[name] === operation.name) homeOf.set(shape, operation.name)
    }
  return homeOf
}

function definitionOf(
  operation: AnyOperation,
  describe: Describe,
  { bound, outputSchemas, lean }: { readonly bound: boolean; readonly outputSchemas: boolean; readonly lean: boolean },
): ToolDefinition {
  const { name, title, description, effect, aside } = operation
  const { arguments: all } = planOf(operation)
  const visible = [...all.values()].filter(
    argument =>
      !(bound && argument.name === 'board_id') &&
      !(argument.name === 'fields' && !showsFields(operation)) &&
      !(argument.name === 'full' && !answersList(operation)) &&
      !(lean && (aside.includes(argument.name) || toldOnce.has(argument.name))) &&
      argument.hint.hidden !== true,
  )
  const outputSchema = outputSchemas ? outputSchemaOf(operation) : undefined
  return {
    name,
    title,
    description,
    inputSchema: inputSchema(name, visible, describe),
    annotations: toolAnnotations[effect],
    ...(outputSchema !== undefined && { outputSchema }),
  }
}

/** The shape length below which an answer needs no selection of fields. */
const smallAnswer = 264

/** Whether `fields`, which every tool accepts, is worth its tokens in the list: for reads with a large answer. */
const showsFields = (operation: AnyOperation): boolean => {
  const schema = itemSchema(operation)
  return operation.effect === 'read' && schema !== undefined && (shapeLine(schema) ?? '').length >= smallAnswer
}

/** Arguments that mean the same in every tool; the instructions explain them (mcp 13). */
const wellKnown: ReadonlySet<string> = new Set(['limit', 'offset', 'fields', 'full', 'clear'])

/** Arguments of every list that the instructions explain: tool lists made for models do not repeat them. */
const toldOnce: ReadonlySet<string> = new Set(['offset', 'full'])

function inputSchema(tool: string, args: readonly Argument[], describe: Describe): InputSchema {
  if (args.length === 0) return { type: 'object', additionalProperties: false }
  const properties = Object.fromEntries(
    args.map(({ name, type, description, shape, hint }) => {
      const line = shape === undefined ? undefined : describe(tool, shape, hint)
      const words = wellKnown.has(name) ? '' : [description, line].filter(Boolean).join(': ')
      return [name, { ...type, ...(words !== '' && { description: words }) }]
    }),
  )
  const required = args.filter(argument => argument.required).map(argument => argument.name)
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}
