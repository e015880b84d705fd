import { OpenAPIHono } from '@hono/zod-openapi'
import { type AnyOperation, registry } from '@specboard/contract'
import { examplesOf } from './content.ts'
import { routeOf } from './route.ts'
import { schemasOf } from './schemas.ts'

/**
 * The OpenAPI 3.1 document of operations, by default all, as JSON text. All of them take about 200 ms: make it once,
 * when first requested.
 * @param basePath the path below which the operations are reached; by default the root of the host
 */
export function openApiDocument(
  version: string,
  operations: readonly AnyOperation[] = registry,
  basePath = '',
): string {
  const app = new OpenAPIHono()
  const { openAPIRegistry: components } = app
  components.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' })
  components.registerComponent('securitySchemes', 'header', { type: 'apiKey', in: 'header', name: 'X-API-Key' })
  components.registerComponent('securitySchemes', 'query', { type: 'apiKey', in: 'query', name: 'api_key' })
  const schemas = schemasOf(operations)
  for (const [name, schema] of Object.entries(schemas.components)) components.registerComponent('schemas', name, schema)
  for (const [name, value] of examplesOf(operations)) components.registerComponent('examples', name, { value })
  for (const operation of operations) components.registerPath(routeOf(operation, schemas, operations))
  const { webhooks: _, ...document } = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Specboard',
      version,
      description: 'Software delivery tracking made for AI coding agents.',
      license: { name: 'MIT' },
    },
    ...(basePath !== '' && { servers: [{ url: basePath }] }),
  })
  delete document.components?.parameters
  return JSON.stringify(document)
}
