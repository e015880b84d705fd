import { registry } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openApiDocument } from './openapi.ts'

const text = openApiDocument('1.2.3')
const document = JSON.parse(text)
const { schemas } = document.components

const routeOf = ({ path, method }: { readonly path: string; readonly method: string }) =>
  document.paths[path][method.toLowerCase()]

/** A schema of the document, looked up where it is named. */
const resolved = (schema: { readonly $ref?: string }) =>
  schema.$ref === undefined ? schema : schemas[schema.$ref.replace('#/components/schemas/', '')]

test('is OpenAPI 3.1 of the running version', () => {
  expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } })
})

test('has every operation under its method and path', () => {
  const routes = Object.values(document.paths).flatMap(methods => Object.values(methods as object))
  expect(routes.map(route => route.operationId).toSorted()).toStrictEqual(registry.map(({ name }) => name).toSorted())
  for (const operation of registry) expect(routeOf(operation).operationId).toBe(operation.name)
})

test('marks what goes beyond the interface', () => {
  const [operation] = registry
  const marked = JSON.parse(openApiDocument('1', [{ ...operation!, extension: true }]))
  expect(marked.paths[operation!.path][operation!.method.toLowerCase()]['x-extension']).toBe(true)
  expect(text).not.toContain('"x-extension":false')
})

test('names no schema that it does not have', () => {
  const named = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name)
  expect(new Set(named).difference(new Set(Object.keys(schemas)))).toStrictEqual(new Set())
  expect(text).not.toContain('$defs')
})

describe('fields that may be left out are not required', () => {
  const withBody = registry.flatMap(operation => {
    const { body } = operation
    return body instanceof z.ZodObject && operation.kind !== 'upload' ? [{ operation, body }] : []
  })

  test.each(withBody)('in the body of $operation.name', ({ operation, body }) => {
    const { required = [], properties } = resolved(routeOf(operation).requestBody.content['application/json'].schema)
    const needed = Object.keys(body.shape).filter(
      name => body.safeParse({}).error?.issues.some(({ path }) => path.length === 1 && path[0] === name) ?? false,
    )
    expect(required.toSorted()).toStrictEqual(needed.toSorted())
    expect(Object.keys(properties).toSorted()).toStrictEqual(Object.keys(body.shape).toSorted())
  })

  test('as the statement says of IdeationUpdate: all optional and nullable', () => {
    expect(schemas.IdeationUpdate.required).toBeUndefined()
    expect(schemas.IdeationUpdate.properties.title).toStrictEqual({
      anyOf: [{ type: 'string', minLength: 1, maxLength: 500 }, { type: 'null' }],
    })
  })
})

test('names the headers that an operation heeds, and what it answers because of them', () => {
  const headersOf = ({ parameters }: { parameters: { name: string; in: string }[] }) =>
    parameters.filter(parameter => parameter.in === 'header').map(({ name }) => name)
  const { '/api/v1/cards/{card_id}': card, '/api/v1/cards/{card_id}/move': move, '/health': health } = document.paths
  expect([card.get, card.patch, move.post, health.get].map(headersOf)).toStrictEqual([
    ['If-None-Match'],
    ['If-Match'],
    ['Idempotency-Key', 'If-Match'],
    ['If-None-Match'],
  ])
  expect(card.get.responses[304]).toStrictEqual({ description: 'Not modified.' })
  expect(card.patch['x-errors']).toEqual(
    expect.arrayContaining(['PRECONDITION_FAILED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']),
  )
  expect(Object.keys(card.get.responses)).not.toEqual(expect.arrayContaining(['412']))
  expect(move.post['x-errors']).toContain('IDEMPOTENCY_KEY_REUSED')
})
