import { type AnyOperation, operationByName } from '@specboard/contract'
import { metaDefinitions } from '../meta/definitions.ts'
import { type Argument, planOf } from './arguments.ts'
import { type Hints, hints } from './hints.ts'
import type { LeanProperty } from './lean.ts'
import { type OutputSchema, outputSchemaOf } from './output-schemas.ts'
import type { View } from './view.ts'

/** The JSON Schema of a tool's arguments: flat, closed only when there are none (mcp 7.3). */
export interface InputSchema {
  readonly type: 'object'
  readonly properties?: Readonly<Record<string, LeanProperty>>
  readonly required?: readonly string[]
  readonly additionalProperties?: false
}

/** A tool as `tools/list` shows it. */
export interface ToolDefinition {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: InputSchema
  readonly annotations: Hints
  readonly outputSchema?: OutputSchema
}

/** Tools that a shared shape stands in where it has a natural home; else the first tool of the list has it. */
const homes: readonly string[] = ['create_ideation_architecture', 'update_board']

/** Shapes up to this length are written out each time: naming another tool would not be shorter. */
const shortShape = 40

/** The text of an argument's shape, given the tool that it stands in. */
type Describe = (tool: string, shape: string) => string

const inFull: Describe = (_, shape) => shape

/** One tool with every shape written out. */
export const wholeDefinition = (operation: AnyOperation): ToolDefinition =>
  definitionOf(operation, inFull, { bound: false, outputSchemas: false })

/** The tools of a list. A shape that several of them share is written once, the others name its tool (mcp 7.4). */
export function definitionsOf(
  names: readonly string[],
  view: Pick<View, 'boardId' | 'outputSchemas'>,
): ToolDefinition[] {
  const operations = names.flatMap(name => operationByName.get(name) ?? [])
  const homeOf = shapeHomes(operations)
  const describe: Describe = (tool, shape) => {
    const home = homeOf.get(shape)
    return home === undefined || home === tool ? shape : `as ${home}`
  }
  const options = { bound: view.boardId !== undefined, outputSchemas: view.outputSchemas }
  return names.flatMap(name => {
    const operation = operationByName.get(name)
    return operation === undefined ? (metaDefinitions.get(name) ?? []) : definitionOf(operation, describe, options)
  })
}

function shapeHomes(operations: readonly AnyOperation[]): ReadonlyMap<string, string> {
  const homeOf = new Map<string, string>()
  const inOrder = [...operations].sort((a, b) => Number(homes.includes(b.name)) - Number(homes.includes(a.name)))
  for (const operation of inOrder)
    for (const { shape } of planOf(operation).arguments.values())
      if (shape !== undefined && shape.length > shortShape && !homeOf.has(shape)) homeOf.set(shape, operation.name)
  return homeOf
}

function definitionOf(
  operation: AnyOperation,
  describe: Describe,
  { bound, outputSchemas }: { readonly bound: boolean; readonly outputSchemas: boolean },
): ToolDefinition {
  const { name, title, description, effect } = operation
  const shown = [...planOf(operation).arguments.values()].filter(argument => !(bound && argument.name === 'board_id'))
  const outputSchema = outputSchemas ? outputSchemaOf(operation) : undefined
  return {
    name,
    title,
    description,
    inputSchema: inputSchema(name, shown, describe),
    annotations: hints[effect],
    ...(outputSchema !== undefined && { outputSchema }),
  }
}

function inputSchema(tool: string, shown: readonly Argument[], describe: Describe): InputSchema {
  if (shown.length === 0) return { type: 'object', additionalProperties: false }
  const properties = Object.fromEntries(
    shown.map(({ name, type, description, shape }) => {
      const words = [description, shape === undefined ? undefined : describe(tool, shape)].filter(Boolean).join(': ')
      return [name, { ...type, ...(words !== '' && { description: words }) }]
    }),
  )
  const required = shown.filter(argument => argument.required).map(argument => argument.name)
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}
