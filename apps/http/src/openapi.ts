import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
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

const json = (schema: z.ZodType) => ({ 'application/json': { schema } })

/** Every code that an operation can answer, by status. */
function errorsOf(operation: AnyOperation): Map<number, ErrorCode[]> {
  const common = operation.permission === 'public' ? [] : commonErrors
  const found: readonly ErrorCode[] = operation.path.includes('{') ? ['NOT_FOUND'] : []
  const codes = [...new Set([...common, ...found, ...operation.errors])]
  return Map.groupBy(codes, code => errorStatus[code])
}

function successOf(operation: AnyOperation) {
  if (operation.kind === 'file')
    return {
      description: 'The file.',
      content: { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } },
    }
  if (operation.kind === 'events')
    return { description: 'A stream of events.', content: { 'text/event-stream': { schema: z.string() } } }
  const schema = operation.list === undefined ? operation.response : z.array(operation.list)
  return schema === undefined ? { description: 'Done.' } : { description: 'Success.', content: json(schema) }
}

function requestOf(operation: AnyOperation) {
  const body =
    operation.kind === 'upload'
      ? {
          required: true,
          content: { 'multipart/form-data': { schema: z.object({ file: z.string().meta({ format: 'binary' }) }) } },
        }
      : operation.body === undefined
        ? undefined
        : { required: !operation.bodyOptional, content: json(operation.body) }
  return { params: z.object(operation.params), query: z.object(operation.query), ...(body !== undefined && { body }) }
}

function routeOf(operation: AnyOperation) {
  return createRoute({
    method: operation.method.toLowerCase() as 'get',
    path: operation.path,
    operationId: operation.name,
    tags: [featureOf(operation)],
    summary: operation.title,
    description: operation.description,
    security: operation.permission === 'public' ? [] : [{ bearer: [] }, { header: [] }, { query: [] }],
    ...{ 'x-permission': operation.permission, 'x-errors': [...errorsOf(operation).values()].flat() },
    request: requestOf(operation) as never,
    responses: {
      [operation.status]: successOf(operation),
      ...(operation.otherStatus !== undefined && { [operation.otherStatus]: successOf(operation) }),
      ...Object.fromEntries(
        [...errorsOf(operation)].map(([status, codes]) => [
          status,
          { description: codes.join(', '), content: json(CodedError) },
        ]),
      ),
      ...(operation.permission !== 'public' && {
        422: { description: 'Invalid input.', content: json(HTTPValidationError) },
      }),
    } as never,
  })
}

/** The OpenAPI 3.1 document of the registry, as JSON text. Takes about 200 ms: make it once, when first asked for. */
export function openApiDocument(version: string): string {
  const app = new OpenAPIHono()
  const { openAPIRegistry } = app
  openAPIRegistry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' })
  openAPIRegistry.registerComponent('securitySchemes', 'header', { type: 'apiKey', in: 'header', name: 'X-API-Key' })
  openAPIRegistry.registerComponent('securitySchemes', 'query', { type: 'apiKey', in: 'query', name: 'api_key' })
  for (const operation of registry) openAPIRegistry.registerPath(routeOf(operation))
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Specboard',
      version,
      description: 'Software delivery tracking made for AI coding agents.',
      license: { name: 'MIT' },
    },
  })
  return JSON.stringify(withRealNulls(document))
}

/** A nullable named schema comes out as allOf of the name and a type with null, which no null satisfies. */
function withRealNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withRealNulls)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, withRealNulls(inner)] as const)
  const node = Object.fromEntries(entries)
  const all = node.allOf
  if (!Array.isArray(all)) return node
  const named = all.find(part => '$ref' in part)
  const nullable = all.some(part => Array.isArray(part.type) && part.type.includes('null'))
  if (named === undefined || !nullable) return node
  const { allOf: _, ...rest } = node
  return { ...rest, anyOf: [named, { type: 'null' }] }
}
