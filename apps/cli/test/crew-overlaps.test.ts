/**
 * Six agents with overlapping scopes in one repository: each overlap is reported to both before the first edit (harness
 * 5).
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

/** The files of the repository, by which overlaps are found without the service. */
const files = [
  'src/price/net.ts',
  'src/price/gross.ts',
  'src/invoice/send.ts',
  'src/db/schema.ts',
  'docs/price.md',
  'src/db/gross.ts',
]

/** What each agent's card is about, and the files among those above that it holds. */
const scopes = [
  [['src/price/**'], [0, 1]],
  [
    ['src/price/net*.ts', 'docs/**'],
    [0, 4],
  ],
  [['src/{invoice,db}/*.ts'], [2, 3, 5]],
  [['src/db/'], [3, 5]],
  [
    ['src/**/gross.ts', 'src/invoice'],
    [1, 2, 5],
  ],
  [['docs/price.md', 'tools/**'], [4]],
] as const

interface Worker {
  readonly agent: TestAgent
  readonly session: string
  readonly ref: string
  readonly card: string
  /** The references of the cards whose overlap with its own card was reported to it. */
  readonly reported: Set<string>
}

test('of six agents each is told of every overlap of its own before it edits', async () => {
  const scene = await Scene.on(world)
  const board_id = scene.boardId
  const url = 'https://github.com/acme/shop'
  await world.ok('create_repository', { board_id, url })
  const workers: Worker[] = []
  for (const [index, [paths]] of scopes.entries()) {
    const agent = await world.agent({ preset_id: 'Executor', board_ids: [board_id] })
    const card = await scene.card({ spec_id: await scene.specWithScenarios(), paths: [...paths] })
    const { ref } = await world.ok('get_card', { card_id: card })
    workers.push({ agent, session: `worker-${index}`, ref, card, reported: new Set() })
  }
  const hook = (worker: Worker, event: string, more: object = {}) =>
    world.ok(
      'report_hook',
      { event, session: worker.session, client: 'codex', board_id, repository: url, ...more },
      { as: worker.agent },
    )
  const noted = (worker: Worker, context: string | null) => {
    for (const other of workers) if (other !== worker && context?.includes(other.ref)) worker.reported.add(other.ref)
  }
  // All claim at once; later agents learn of an overlap from the answer to their claim, earlier ones from their next
  // hook.
  await Promise.all(
    workers.map(async worker => {
      noted(worker, (await hook(worker, 'session_start', { source: 'startup' })).context)
      const { session, card: card_id } = worker
      const claim = await world.ok('claim_card', { card_id, session, start: true }, { as: worker.agent })
      for (const { ref } of claim.overlaps) worker.reported.add(ref)
    }),
  )
  for (const worker of workers)
    for (let context: string | null = ''; context !== null; ) {
      context = (await hook(worker, 'prompt')).context
      noted(worker, context)
    }

  const meet = (one: number, other: number) =>
    one !== other && scopes[one]![1].some(file => (scopes[other]![1] as readonly number[]).includes(file))
  const expected = workers.map((_, one) => workers.filter((_, other) => meet(one, other)).map(({ ref }) => ref))
  expect(expected.flat()).toHaveLength(12)
  expect(workers.map(({ reported }) => [...reported].sort())).toEqual(expected.map(refs => refs.sort()))

  // The first edit of each names whoever works on that very file.
  for (const [one, worker] of workers.entries())
    for (const file of scopes[one]![1]) {
      const { context } = await hook(worker, 'before_edit', { paths: [files[file]!] })
      const others = workers.filter(
        (_, other) => other !== one && (scopes[other]![1] as readonly number[]).includes(file),
      )
      expect(others.some(({ ref }) => context?.includes(ref))).toBe(others.length > 0)
    }
  const overlaps = await world.ok('list_overlaps', { board_id })
  expect(overlaps).toHaveLength(6)
})
