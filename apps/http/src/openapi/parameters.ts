import type { AnyOperation } from '@specboard/contract'
import type { z } from 'zod'
import { namedExample } from './example.ts'
import { headersOf } from './headers.ts'
import type { JsonSchema, OperationSchemas } from './schemas.ts'

/** A parameter of an operation, as described in the document. */
export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: JsonSchema
  readonly example?: unknown
}

/** The parameters of an operation: those of its path, its query, and the headers that it supports. */
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
 * The parameters in one place. Only those that are required, or are search texts, have an example: a console fills
 * examples in, and with one for a filter nothing would be found.
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

/** Search texts: without one an operation finds nothing. */
const asksText: ReadonlySet<string> = new Set(['q', 'topic'])
