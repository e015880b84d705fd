import { operationByName, parseInput } from '@specboard/contract'
import { afterEach, expect, test } from 'vitest'
import { GraphWorld } from '../../../test/graph-world.ts'
import type { ReaderLimits } from '../../kernel/context.ts'
import { readerLimits } from './reader-threads.ts'

let world: GraphWorld | undefined

afterEach(async () => {
  await world?.stop()
  world = undefined
})

/** A file of beads, as large as its texts. */
const issues = (count: number, characters: number): string =>
  Array.from({ length: count }, (_, at) =>
    JSON.stringify({
      id: `bd-${at}`,
      title: `Title of ${at}`,
      status: 'open',
      design: `${at} ${'x'.repeat(characters)}`,
    }),
  ).join('\n')

async function importing({ opened, ownerKey }: GraphWorld, text: string) {
  const operation = operationByName.get('import_board')!
  const parsed = parseInput(operation, { params: {}, query: { dry_run: true }, body: undefined })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.items))
  const { service } = opened
  const file = {
    filename: 'issues.jsonl',
    mimeType: null,
    open: async function* () {
      yield Buffer.from(text)
    },
  }
  const caller = await service.authenticate(ownerKey)
  return (await service.perform({ operation, input: { ...parsed.input, file }, caller })).body
}

const small = issues(200, 1_000)

test.each<[string, Partial<ReaderLimits>, () => string, RegExp]>([
  ['memory', { heapMb: 40 }, () => issues(600, 90_000), /more than 40 MiB of memory\. Divide it/],
  [
    'time',
    { msFor: bytes => (bytes > 1_000_000 ? 1 : 60_000) },
    () => issues(30, 90_000),
    /more than 0\.001 s\. Divide it/,
  ],
])(
  'a reader that takes more %s than it may costs its import, and the next one is read (walls 5)',
  async (_, limits, large, says) => {
    world = await GraphWorld.start({ readerLimits: { ...readerLimits, ...limits } })
    await expect(importing(world, large())).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(says),
    })
    expect(await world.ok('get_health')).toMatchObject({ status: 'healthy' })
    expect(await importing(world, small)).toMatchObject({ format: 'beads', created: { card: 200 } })
    expect(world.faults).toEqual([])
  },
)

test('a file is read for a minute at most, however large', () => {
  expect([readerLimits.heapMb, readerLimits.msFor(1), readerLimits.msFor(2 ** 40)]).toEqual([512, 21_000, 60_000])
})
