import type { AnyOperation } from '@specboard/contract'
import type { z } from 'zod'
import { namedExample } from './example.ts'
import { headersOf } from './headers.ts'
import type { JsonSchema, OperationSchemas } from './schemas.ts'

/** A parameter of an operation as the document describes it. */
export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: JsonSchema
  readonly example?: unknown
}

/** The parameters of an operation: those of its path, its query, and the headers that it heeds. */
export function parametersOf(operation: AnyOperation, schemas: OperationSchemas): Parameter[] {
  const heeded = headersOf(operation).map(({ name, schema }) => ({
    name,
    in: 'header' as const,
    required: false,
    schema,
  }))
  return [
    ...placed('path', schemas.path, operation.params),
    ...placed('query', schemas.query, operation.query),
    ...heeded,
  ]
}

/**
 * Parameters of one place. Only one that is required, or asks for a text, has an example: a console fills examples in,
 * and one of a filter would leave nothing.
 */
function placed(
  place: 'path' | 'query',
  { properties = {}, required = [] }: JsonSchema,
  shape: Readonly<Record<string, z.ZodType>>,
): Parameter[] {
  return Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name)
    const example = isRequired || asksText.has(name) ? namedExample(shape[name]!, name) : undefined
    return {
      name,
      in: place,
      required: isRequired,
      schema,
      ...(example !== undefined && { example }),
    }
  })
}

/** Parameters that say what to look for: without one an operation finds nothing. */
const asksText: ReadonlySet<string> = new Set(['q', 'topic'])
