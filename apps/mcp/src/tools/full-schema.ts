import { type AnyOperation, errorStatus } from '@specboard/contract'
import { z } from 'zod'
import { answersList, itemSchema } from './answers.ts'
import { type Argument, planOf } from './arguments.ts'
import { shapeLine } from './lean-schema.ts'

/** Everything about an operation that the list leaves out (mcp 7.4). */
export interface FullDescription {
  readonly method: string
  readonly path: string
  readonly permission: string
  /** JSON Schema of the arguments with limits and descriptions. */
  readonly input_schema: unknown
  /** The shape of the answer, or of the items of a list. */
  readonly output_shape: string
  /** Error codes with their status, without those common to every operation. */
  readonly errors: Readonly<Record<string, number>>
}

const descriptions = new WeakMap<AnyOperation, FullDescription>()

/** The full description of an operation, built once; when bound to a board, without `board_id`. */
export function fullDescription(operation: AnyOperation, bound = false): FullDescription {
  if (bound) return describe(operation, ({ name }) => name !== 'board_id')
  const description = descriptions.get(operation) ?? describe(operation, () => true)
  descriptions.set(operation, description)
  return description
}

function describe(operation: AnyOperation, isShown: (argument: Argument) => boolean): FullDescription {
  const { method, path, permission, errors } = operation
  const args = [...planOf(operation).arguments.values()].filter(isShown)
  const shape = Object.fromEntries(args.map(({ name, schema }) => [name, schema]))
  const { $schema: _, ...schema } = z.toJSONSchema(z.object(shape), {
    io: 'input',
    unrepresentable: 'any',
    // A model needs types and limits; examples would cost tokens for what it already knows.
    override: ({ jsonSchema }) => {
      delete jsonSchema.examples
    },
  })
  const codes = [...new Set([...(path.includes('{') ? (['NOT_FOUND'] as const) : []), ...errors])]
  return {
    method,
    path,
    permission,
    input_schema: schema,
    output_shape: outputShape(operation),
    errors: Object.fromEntries(codes.map(code => [code, errorStatus[code]])),
  }
}

function outputShape(operation: AnyOperation): string {
  const item = itemSchema(operation)
  if (item === undefined) return operation.kind === 'file' ? 'a file' : '{ok:bool,operation,id}'
  const shape = shapeLine(item) ?? '{}'
  return answersList(operation) ? `{items[${shape}],total:int,offset:int,next_offset:int}` : shape
}
