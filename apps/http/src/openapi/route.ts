import { createRoute } from '@hono/zod-openapi'
import { type AnyOperation, featureOf, registry } from '@specboard/contract'
import { errorsOf } from './errors.ts'
import { parametersOf } from './parameters.ts'
import { requestBodyOf } from './request-body.ts'
import { responsesOf } from './responses.ts'
import { type Schemas, schemasOf } from './schemas.ts'

/**
 * The definition of an operation's route. Its schemas are JSON Schema, so that an app that registers it adds no
 * validator of its own: input is validated by `parseInput`, all of it together.
 * @param schemas those of at least this operation; converting them is most of the work
 * @param among the operations that its links may lead to
 */
export function routeOf(
  operation: AnyOperation,
  schemas: Schemas = schemasOf([operation]),
  among: readonly AnyOperation[] = registry,
) {
  const own = schemas.of(operation)
  const body = requestBodyOf(operation, own)
  return createRoute({
    method: operation.method.toLowerCase() as Lowercase<typeof operation.method>,
    path: operation.path,
    operationId: operation.name,
    tags: [featureOf(operation)],
    summary: operation.title,
    description: operation.description,
    security: operation.permission === 'public' ? [] : [{ bearer: [] }, { header: [] }, { query: [] }],
    'x-permission': operation.permission,
    ...(operation.extension && { 'x-extension': true }),
    'x-errors': [...errorsOf(operation).values()].flat(),
    parameters: parametersOf(operation, own),
    ...(body !== undefined && { request: { body } }),
    responses: responsesOf(operation, own, among),
  })
}
