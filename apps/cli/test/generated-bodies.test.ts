import { requestOf } from '@specboard/client'
import {
  type AnyOperation,
  type FeatureName,
  features,
  type OperationName,
  pathNames,
  registry,
} from '@specboard/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from './operations/rows.ts'
import { generatedBody } from './support/generated-body.ts'
import { Scene } from './support/scene.ts'
import { graphAtWork, World } from './support/world.ts'

/** The features whose write operations are sent generated bodies. */
const covered = [
  'ideations',
  'refinements',
  'specs',
  'sprints',
  'guidelines',
  'discovery',
] as const satisfies readonly FeatureName[]

/** The same bodies each time; another seed tries others. */
const seed = 20_260
const bodiesPerOperation = 25

const writes = covered
  .flatMap(feature => Object.values(features[feature] as Readonly<Record<string, AnyOperation>>))
  .filter(operation => operation.body !== undefined && operation.effect !== 'read')

/** The GET operation that shows what a write could change: its record, or the list that it adds to. */
const shownBy = (operation: AnyOperation): AnyOperation | undefined =>
  registry
    .filter(get => get.method === 'GET' && get.kind === undefined)
    .filter(get => operation.path === get.path || operation.path.startsWith(`${get.path}/`))
    .filter(get => pathNames(get.path).length > 0)
    .sort((a, b) => b.path.length - a.path.length)[0]

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start(graphAtWork)
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

async function send(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
  const response = await fetch(`${world.running.url}${path}`, {
    method,
    headers: { 'x-api-key': world.owner.key, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  })
  return { status: response.status, text: await response.text() }
}

describe.each(writes.map(operation => [operation.name, operation] as const))('%s', (name, operation) => {
  test('handles any body without a fault, and a refused one changes nothing', async () => {
    const args = await rows[name as OperationName].args(scene, world.owner)
    const { path } = requestOf(operation, args)
    const getter = shownBy(operation)
    const look = async () => (getter === undefined ? '' : (await send('GET', requestOf(getter, args).path)).text)
    let before = await look()
    await fc.assert(
      fc.asyncProperty(generatedBody(operation.body!), async body => {
        const { status, text } = await send(operation.method, path, body)
        const after = await look()
        expect(status, text).toBeLessThan(500)
        // A move through several statuses stays at the status that its last step reached, and says so.
        if (status >= 400 && !text.includes('"reached"')) expect(after).toBe(before)
        before = after
      }),
      { seed, numRuns: bodiesPerOperation },
    )
  })
})
