import { type AnyOperation, type ErrorCode, errorStatus, featureOf, registry } from '@specboard/contract'
import { answersRepresentation, heedsMatch } from '@specboard/domain'
import { z } from 'zod'

/** Codes that every operation with a key can answer. */
const commonErrors: readonly ErrorCode[] = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'INTERNAL_ERROR',
  'BUSY',
  'STORAGE_FULL',
  'STORAGE_LOST',
]

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

/** A header that an operation heeds beside the key, and what it can answer because of it (general, Wire). */
interface HeededHeader {
  readonly name: string
  readonly schema: object
  readonly heeds: (operation: AnyOperation) => boolean
  readonly error?: ErrorCode
}

const headers: readonly HeededHeader[] = [
  {
    name: 'Idempotency-Key',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    heeds: ({ method, permission }) => method === 'POST' && permission !== 'public',
    error: 'IDEMPOTENCY_KEY_REUSED',
  },
  { name: 'If-Match', schema: { type: 'string' }, heeds: heedsMatch, error: 'PRECONDITION_FAILED' },
  { name: 'If-None-Match', schema: { type: 'string' }, heeds: readsRepresentation },
]

function readsRepresentation(operation: AnyOperation): boolean {
  return operation.method === 'GET' && answersRepresentation(operation)
}

/** What the reading of a body can answer. */
const bodyErrors: readonly ErrorCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']

/** Every code that an operation can answer, by status. */
function errorsOf(operation: AnyOperation): Map<number, ErrorCode[]> {
  const common = operation.permission === 'public' ? [] : commonErrors
  const found: readonly ErrorCode[] = operation.path.includes('{') ? ['NOT_FOUND'] : []
  const read = operation.body === undefined ? [] : bodyErrors
  const heeded = headers.flatMap(({ heeds, error }) => (error !== undefined && heeds(operation) ? [error] : []))
  const codes = [...new Set([...common, ...found, ...operation.errors, ...read, ...heeded])]
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

function parametersOf(operation: AnyOperation, found: Found) {
  const named = (['path', 'query'] as const).flatMap(place => {
    const { properties = {}, required = [] } = found(`${operation.name} ${place}`) ?? {}
    return Object.entries(properties).map(([parameter, schema]) => ({
      name: parameter,
      in: place,
      required: required.includes(parameter),
      schema: schema as object,
    }))
  })
  const heeded = headers.filter(({ heeds }) => heeds(operation))
  return [...named, ...heeded.map(({ name, schema }) => ({ name, in: 'header', required: false, schema }))]
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
    ...(readsRepresentation(operation) && { 304: { description: 'Not modified.' } }),
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
