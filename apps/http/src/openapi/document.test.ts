import { Validator } from '@seriousme/openapi-schema-validator'
import { registry } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openApiDocument } from './document.ts'
import { answerOf } from './schemas.ts'

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

test("fits OpenAPI's own schema, all of it and of some operations", async () => {
  const some = registry.filter(({ path }) => path.includes('/kg/'))
  for (const spec of [document, JSON.parse(openApiDocument('1.2.3', some))])
    expect(await new Validator().validate(spec)).toStrictEqual({ valid: true })
})

test('has every operation under its method and path', () => {
  const routes = Object.values(document.paths).flatMap(methods => Object.values(methods as object))
  expect(routes.map(route => route.operationId).toSorted()).toStrictEqual(registry.map(({ name }) => name).toSorted())
  for (const operation of registry) expect(routeOf(operation).operationId).toBe(operation.name)
})

test('every operation that reads a body or a key lists 422', () => {
  const without = registry.filter(operation => routeOf(operation).responses['422'] === undefined)
  expect(without.map(({ name }) => name)).toStrictEqual(['get_health'])
})

test('marks what goes beyond the interface', () => {
  const [operation] = registry
  const marked = JSON.parse(openApiDocument('1', [{ ...operation!, extension: true }]))
  expect(marked.paths[operation!.path][operation!.method.toLowerCase()]['x-extension']).toBe(true)
  expect(text).not.toContain('"x-extension":false')
})

test('refers to what it has, and has nothing that is not referred to', () => {
  const referred = [...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, name]) => name)
  const { schemas, examples } = document.components
  const had = Object.entries({ schemas, examples }).flatMap(([kind, all]) =>
    Object.keys(all).map(name => `${kind}/${name}`),
  )
  expect([...new Set(referred)].toSorted()).toStrictEqual(had.toSorted())
  expect(text).not.toContain('$defs')
})

test('tells two schemas apart: none has the id of another', () => {
  const named = new Map<string, z.ZodType>()
  const walked = new Set<z.ZodType>()
  const walk = (schema: z.ZodType): void => {
    if (walked.has(schema)) return
    walked.add(schema)
    const id = schema.meta()?.id
    if (id !== undefined) expect([id, named.get(id) ?? schema]).toStrictEqual([id, schema])
    if (id !== undefined) named.set(id, schema)
    for (const inner of innerSchemas(schema)) walk(inner)
  }
  for (const operation of registry)
    for (const schema of [operation.body, answerOf(operation)]) if (schema !== undefined) walk(schema)
  expect(Object.keys(schemas).toSorted()).toStrictEqual(
    [...named.keys(), 'Error', 'HTTPValidationError', 'ValidationErrorItem'].toSorted(),
  )
})

/** The schemas directly inside one. */
function innerSchemas(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodObject) return Object.values(schema.shape)
  const {
    innerType,
    element,
    options,
    valueType,
    in: taken,
  } = schema.def as {
    readonly [part in 'innerType' | 'element' | 'valueType' | 'in']?: z.ZodType
  } & { readonly options?: readonly z.ZodType[] }
  return [innerType, element, valueType, taken, ...(options ?? [])].filter(inner => inner !== undefined)
}

test('a nullable component admits null', () => {
  expect(text).not.toContain('allOf')
  expect(schemas.TaskValidation.properties.resolved_thresholds).toStrictEqual({
    anyOf: [{ $ref: '#/components/schemas/ResolvedThresholds' }, { type: 'null' }],
  })
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
    expect(schemas.IdeationUpdate.properties.title).toMatchObject({
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

test('has a file under each of the types that it comes in', () => {
  const typesOf = (name: string) => {
    const operation = registry.find(candidate => candidate.name === name)!
    return Object.keys(routeOf(operation).responses[200].content)
  }
  expect(typesOf('export_board_analytics')).toStrictEqual(['text/csv'])
  expect(typesOf('download_card_knowledge')).toStrictEqual(['text/markdown'])
  expect(typesOf('export_kg_audit')).toStrictEqual(['application/jsonl', 'text/csv'])
  expect(typesOf('download_attachment')).toContain('image/*')
})

test('has an example for every body and every answer in JSON', () => {
  type Shown = { readonly content?: { readonly 'application/json'?: { readonly examples: object } } }
  const examples = registry.flatMap(operation => {
    const { requestBody = {}, responses } = routeOf(operation)
    return [requestBody, ...Object.values(responses)].flatMap(
      part => (part as Shown).content?.['application/json'] ?? [],
    )
  })
  expect(examples.length).toBeGreaterThan(registry.length)
  for (const content of examples) expect(Object.keys(content.examples)).not.toStrictEqual([])
})
