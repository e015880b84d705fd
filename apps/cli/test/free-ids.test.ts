import { afterAll, beforeAll, expect, test } from 'vitest'
import { varied } from './support/drawn-changes.ts'
import { graphAtWork, World } from './support/world.ts'
import { changedArchive, zipEntries, zipOf } from './support/zip-entries.ts'

let world: World

beforeAll(async () => {
  world = await World.start(graphAtWork)
})

afterAll(() => world.stop())

const into = async (content: Blob | Buffer) =>
  world.call('import_board', { file: new File([content as Blob], 'board.zip') })

/** Ways in which an archive is broken, each found at another moment of its import. */
const broken = {
  'cut off': async (file: Blob) => file.slice(0, file.size - 100),
  'with an entry that it does not name': async (file: Blob) => zipOf([...(await zipEntries(file)), ['more', 'x']]),
  'with a line that is no record': (file: Blob) => changedArchive(file, records => records.push({ type: 'nothing' })),
  'with a record that names nothing': (file: Blob) =>
    changedArchive(file, records => {
      records.find(({ type }) => type === 'comment').card_id = crypto.randomUUID()
    }),
  'with two entries of one sequence': (file: Blob) =>
    changedArchive(file, (_, events) => {
      events.at(-1).sequence = events.at(-2).sequence
    }),
  'with other bytes of an attachment': async (file: Blob) => {
    const entries = await zipEntries(file)
    const [name] = [...entries.keys()].filter(entry => entry.startsWith('attachments/'))
    return zipOf(entries.set(name!, Buffer.from('BYTES')))
  },
} as const

/** Ends a test that would wait for ever, ms. */
const limit = 300_000

test('the ids of a deleted board are free, whatever was refused meanwhile (exchange 1.4)', {
  timeout: limit,
}, async () => {
  const board_id = await varied(world)
  const file = await world.archive(board_id)
  await world.ok('delete_board', { board_id })
  for (const [way, make] of Object.entries(broken)) {
    // The first time, the removal of what was deleted may still be in progress.
    expect([way, (await into(await make(file))).status]).toEqual([way, 400])
  }
  expect((await into(file)).status).toBe(201)
})

test('they are free for whoever imports while it is being removed, beside broken forms of the same archive', {
  timeout: limit,
}, async () => {
  for (let round = 0; round < 3; round++) {
    const board_id = await varied(world)
    const file = await world.archive(board_id)
    // An agent has four uploads at once.
    const ways = Object.values(broken).slice(round, round + 3)
    const forms = await Promise.all(ways.map(make => make(file)))
    await world.ok('delete_board', { board_id })
    const [good, ...others] = await Promise.all([into(file), ...forms.map(into)])
    expect([good!.status, good!.body.detail]).toEqual([201, undefined])
    // After the valid archive is imported, its ids are taken; before that, the others are refused because they are
    // broken.
    for (const { status } of others) expect([400, 409]).toContain(status)
    expect((await world.ok('get_board', { board_id })).id).toBe(board_id)
  }
})
