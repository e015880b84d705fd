import type { AnyOperation } from '@specboard/contract'
import type { z } from 'zod'
import { errorExample, errorsOf, HTTPValidationError } from './errors.ts'
import { exampleOf, type Side } from './example.ts'
import { answerOf, type JsonSchema } from './schemas.ts'

/** The examples of a media type: references to components, by name. */
type Examples = Record<string, { readonly $ref: string }>

/** A body or an answer in JSON. */
export type JsonContent = {
  readonly 'application/json': { readonly schema: JsonSchema; readonly examples: Examples }
}

/** A JSON schema with its examples, by their names among the components. */
export const json = (schema: JsonSchema, names: readonly string[]): JsonContent => ({
  'application/json': {
    schema,
    examples: Object.fromEntries(names.map(name => [name, { $ref: `#/components/examples/${name}` }])),
  },
})

/** The name of the example of an operation's body or answer: that of the schema, so that operations share it. */
export function exampleName(operation: AnyOperation, side: Side): string {
  const { name, list, response, body } = operation
  if (side === 'request') return body?.meta()?.id ?? `${name}_body`
  const listed = list?.meta()?.id
  return listed === undefined ? (response?.meta()?.id ?? `${name}_answer`) : `${listed}List`
}

/** Every example that the document of some operations references, by name. */
export function examplesOf(operations: readonly AnyOperation[]): ReadonlyMap<string, unknown> {
  const examples = new Map<string, unknown>()
  const show = (operation: AnyOperation, side: Side, schema: z.ZodType | undefined) => {
    const name = exampleName(operation, side)
    if (schema !== undefined && !examples.has(name)) examples.set(name, exampleOf(schema, side))
  }
  for (const operation of operations) {
    show(operation, 'request', operation.body)
    show(operation, 'answer', answerOf(operation))
  }
  const codes = new Set(operations.flatMap(operation => [...errorsOf(operation).values()].flat()))
  for (const code of codes) examples.set(code, errorExample(code))
  return examples.set('HTTPValidationError', exampleOf(HTTPValidationError, 'answer'))
}
