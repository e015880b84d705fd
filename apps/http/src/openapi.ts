import { type AnyOperation, type ErrorCode, errorStatus, featureOf, registry } from '@specboard/contract'
import { z } from 'zod'

/** Codes that every operation with a key can answer. */
const commonErrors: readonly ErrorCode[] = ['UNAUTHORIZED', 'FORBIDDEN', 'INTERNAL_ERROR', 'BUSY', 'STORAGE_FULL']

const CodedError = z.object({ detail: z.looseObject({ error: z.string(), message: z.string() }) }).meta({ id: 'Error' })

const HTTPValidationError = z
  .object({
    detail: z.array(
      z
        .object({
          loc: z.array(z.union([z.string(), z.int()])),
          msg: z.string(),
          type: z.string(),
          ctx: z.record(z.string(), z.unknown()).optional(),
          input: z.unknown().optional(),
        })
        .meta({ id: 'ValidationErrorItem' }),
    ),
  })
  .meta({ id: 'HTTPValidationError' })

/** Every code that an operation can answer, by status. */
function errorsOf(operation: AnyOperation): Map<number, ErrorCode[]> {
  const common = operation.permission === 'public' ? [] : commonErrors
  const found: readonly ErrorCode[] = operation.path.includes('{') ? ['NOT_FOUND'] : []
  const codes = [...new Set([...common, ...found, ...operation.errors])]
  return Map.groupBy(codes, code => errorStatus[code])
}

/** The schemas of an operation under the names by which its part of the document finds them. */
const shownBy = ({ name, params, query, body, response, list }: AnyOperation): Record<string, z.ZodType> => ({
  [`${name} path`]: z.object(params),
  [`${name} query`]: z.object(query),
  ...(body !== undefined && { [`${name} body`]: body }),
  ...(response !== undefined && { [`${name} success`]: response }),
  ...(list !== undefined && { [`${name} success`]: z.array(list) }),
})

const references = '#/$defs/'

/** Leaves out what a schema says twice: the bounds of every whole number, the pattern of a format. */
function concise({ jsonSchema }: { readonly jsonSchema: JsonSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern
}

type JsonSchema = z.core.JSONSchema.BaseSchema
type Found = (name: string) => JsonSchema | undefined

function parametersOf({ name }: AnyOperation, found: Found) {
  return (['path', 'query'] as const).flatMap(place => {
    const { properties = {}, required = [] } = found(`${name} ${place}`) ?? {}
    return Object.entries(properties).map(([parameter, schema]) => ({
      name: parameter,
      in: place,
      required: required.includes(parameter),
      schema,
    }))
  })
}

const json = (schema: unknown) => ({ 'application/json': { schema } })
const named = (name: string) => json({ $ref: `${references}${name}` })

function bodyOf({ kind, name, bodyOptional }: AnyOperation, found: Found) {
  if (kind === 'upload') {
    const file = { type: 'string', format: 'binary' }
    const schema = { type: 'object', properties: { file }, required: ['file'] }
    return { required: true, content: { 'multipart/form-data': { schema } } }
  }
  const schema = found(`${name} body`)
  return schema === undefined ? undefined : { required: !bodyOptional, content: json(schema) }
}

function successOf({ kind, name }: AnyOperation, found: Found) {
  if (kind === 'file') {
    const schema = { type: 'string', format: 'binary' }
    return { description: 'The file.', content: { 'application/octet-stream': { schema } } }
  }
  const schema = found(`${name} success`)
  if (kind === 'events') {
    const content = { 'text/event-stream': { schema: { type: 'string' } }, ...(schema !== undefined && json(schema)) }
    return { description: 'A stream of events, or those there are.', content }
  }
  return schema === undefined ? { description: 'Done.' } : { description: 'Success.', content: json(schema) }
}

function responsesOf(operation: AnyOperation, found: Found) {
  const success = successOf(operation, found)
  const refusals = [...errorsOf(operation)].map(([status, codes]) => [
    status,
    { description: codes.join(', '), content: named('Error') },
  ])
  return {
    [operation.status]: success,
    ...(operation.otherStatus !== undefined && { [operation.otherStatus]: success }),
    ...Object.fromEntries(refusals),
    ...(operation.permission !== 'public' && {
      422: { description: 'Invalid input.', content: named('HTTPValidationError') },
    }),
  }
}

function routeOf(operation: AnyOperation, found: Found) {
  const body = bodyOf(operation, found)
  return {
    operationId: operation.name,
    tags: [featureOf(operation)],
    summary: operation.title,
    description: operation.description,
    security: operation.permission === 'public' ? [] : [{ bearer: [] }, { header: [] }, { query: [] }],
    'x-permission': operation.permission,
    'x-errors': [...errorsOf(operation).values()].flat(),
    parameters: parametersOf(operation, found),
    ...(body !== undefined && { requestBody: body }),
    responses: responsesOf(operation, found),
  }
}

/**
 * The OpenAPI 3.1 document of operations, all unless said, as JSON text. All take about 100 ms: make it once,
 * when first asked for.
 */
export function openApiDocument(version: string, operations: readonly AnyOperation[] = registry): string {
  const shown = Object.assign({ CodedError, HTTPValidationError }, ...operations.map(shownBy))
  const { properties, $defs } = z.toJSONSchema(z.object(shown), { io: 'input', override: concise })
  const found: Found = name => properties?.[name] as JsonSchema | undefined
  const paths = Map.groupBy(operations, operation => operation.path)
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Specboard',
      version,
      description: 'Software delivery tracking made for AI coding agents.',
      license: { name: 'MIT' },
    },
    paths: Object.fromEntries(
      [...paths].map(([path, methods]) => [
        path,
        Object.fromEntries(methods.map(operation => [operation.method.toLowerCase(), routeOf(operation, found)])),
      ]),
    ),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        header: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        query: { type: 'apiKey', in: 'query', name: 'api_key' },
      },
      schemas: $defs,
    },
  }
  return JSON.stringify(document, (key, value) =>
    key === '$ref' && typeof value === 'string' ? value.replace(references, '#/components/schemas/') : value,
  )
}
