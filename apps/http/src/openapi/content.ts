import type { AnyOperation } from '@specboard/contract'
import type { z } from 'zod'
import { errorExample, errorsOf, HTTPValidationError } from './errors.ts'
import { exampleOf, type Side } from './example.ts'
import { answerOf, type JsonSchema } from './schemas.ts'

/** The examples of a media type: references to components, by name. */
type Examples = Record<string, { readonly $ref: string }>

/** A JSON body or answer. */
export type JsonContent = {
  readonly 'application/json': { readonly schema: JsonSchema; readonly examples: Examples }
}

/** JSON content with this schema; its examples are named as components. */
export const json = (schema: JsonSchema, names: readonly string[]): JsonContent => ({
  'application/json': {
    schema,
    examples: Object.fromEntries(names.map(name => [name, { $ref: `#/components/examples/${name}` }])),
  },
})

/** The name of the example of an operation's body or answer: the schema's name, so that operations share it. */
export function exampleName(operation: AnyOperation, side: Side): string {
  const { name, list, response, body } = operation
  if (side === 'request') return body?.meta()?.id ?? `${name}_body`
  const listed = list?.meta()?.id
  return listed === undefined ? (response?.meta()?.id ?? `${name}_answer`) : `${listed}List`
}

/** Every example that a document of these operations refers to, by name. */
export function examplesOf(operations: readonly AnyOperation[]): ReadonlyMap<string, unknown> {
  const bodies = operations.flatMap(operation => [
    ...shown(operation, 'request', operation.body),
    ...shown(operation, 'answer', answerOf(operation)),
  ])
  const codes = new Set(operations.flatMap(operation => [...errorsOf(operation).values()].flat()))
  const refusals = [...codes].map(code => [code, errorExample(code)] as const)
  return new Map<string, unknown>([
    ...bodies,
    ...refusals,
    ['HTTPValidationError', exampleOf(HTTPValidationError, 'answer')],
  ])
}

const shown = (operation: AnyOperation, side: Side, schema: z.ZodType | undefined): (readonly [string, unknown])[] =>
  schema === undefined ? [] : [[exampleName(operation, side), exampleOf(schema, side)]]
