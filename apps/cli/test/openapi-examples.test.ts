import { type OperationName, registry } from '@specboard/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from './operations/rows.ts'
import { Person } from './support/person.ts'
import { Scene } from './support/scene.ts'
import { graphAtWork, World } from './support/world.ts'

let world: World
// biome-ignore lint/suspicious/noExplicitAny: the document, whose form tests of apps/http hold
let document: any

beforeAll(async () => {
  world = await World.start(graphAtWork)
  document = await (await fetch(`${world.running.url}/openapi.json`)).json()
})

afterAll(() => world.stop())

/** The token in its example has no valid signature. */
const unsigned = 'exchange_ci_token'

const taking = registry.filter(({ name, body }) => body !== undefined && name !== unsigned)

test.each(taking.map(operation => [operation.name, operation] as const))(
  '%s takes the example of its body',
  async (_, { name, method, path, params, query, status, otherStatus, caller }) => {
    const { requestBody } = document.paths[path][method.toLowerCase()]
    const examples: { readonly $ref: string }[] = Object.values(requestBody.content['application/json'].examples)
    const args = await rows[name as OperationName].args(await Scene.on(world), world.owner)
    for (const { $ref } of examples) {
      const { value } = document.components.examples[$ref.split('/').at(-1)!]
      const around = Object.fromEntries(
        Object.entries(args).filter(([argument]) => (argument in params || argument in query) && !(argument in value)),
      )
      const input = { ...around, ...withRecords(value, args) }
      const by = caller === undefined ? world : await Person.owner(world)
      const answer = await by.call(name as OperationName, input)
      expect([answer.body?.detail ?? null, [status, otherStatus]]).toEqual([
        null,
        expect.arrayContaining([answer.status]),
      ])
    }
  },
)

/** A body in which the records of the examples, and what they contain, are replaced by those of the board. */
const withRecords = (body: object, args: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body).map(([field, value]) => [
      field,
      /_ids?$|^(?:id|merged_into|record|for|selected|params)$/.test(field) && field in args ? args[field] : value,
    ]),
  )
