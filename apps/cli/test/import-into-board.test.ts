import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@specboard/client'
import { inspectDatabase, openService, readWithoutLock, writeWithoutLock } from '@specboard/domain'
import { testOnSqlite } from '@specboard/storage/on-sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { killed, startService } from '../../../tools/lab/harness/service.ts'
import { World } from './support/world.ts'
import { changedArchive } from './support/zip-entries.ts'

const rows = 500
const fileOf = (title: (row: number) => string, count = rows) =>
  new File([`id,title\n${Array.from({ length: count }, (_, row) => `${row},${title(row)}\n`).join('')}`], 'plan.csv')
const file = fileOf(row => `Card ${row}`)

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const board = async (): Promise<string> => (await world.ok('create_board', { name: 'Standing', description: '' })).id
const totalOf = ({ headers }: { readonly headers: Headers }): number => Number(headers.get('x-total-count'))
const cards = async (board_id: string): Promise<number> =>
  totalOf(await world.call('list_cards', { board_id, limit: 1 }))
const found = async (board_id: string): Promise<number> =>
  totalOf(await world.call('search_records', { q: 'Card', kind: 'card', board_id, limit: 1 }))

/** Does something again and again until an import has ended. */
async function meanwhile<Value>(importing: Promise<unknown>, look: () => Promise<Value>): Promise<Value[]> {
  const ended = { yet: false }
  const end = importing.finally(() => Object.assign(ended, { yet: true }))
  const samples: Value[] = []
  while (!ended.yet) samples.push(await look())
  await end
  return samples
}

test('nobody sees a part of what comes into a board, and others write on it all the while (exchange 1)', async () => {
  const board_id = await board()
  const importing = world.ok('import_board', { file, board_id })
  const totals = meanwhile(importing, () => cards(board_id))
  const hits = meanwhile(importing, () => found(board_id))
  const responses = await meanwhile(importing, () => world.call('create_ideation', { board_id, title: 'Meanwhile' }))
  expect(new Set([...(await totals), 0, rows])).toEqual(new Set([0, rows]))
  expect(new Set([...(await hits), 0, rows])).toEqual(new Set([0, rows]))
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]))
  expect((await importing).created).toEqual({ spec: 1, card: rows })
  expect(await cards(board_id)).toBe(rows)
  const columns = await world.ok('list_cards', { board_id, limit: 200 })
  expect(columns.map(({ position }: { position: number }) => position)).toEqual([...columns.keys()])
})

test('tells what an earlier import brought and the source no longer has, and leaves it (imports 3)', async () => {
  const board_id = await board()
  const table = (...ids: readonly number[]) =>
    new File([`id,title\n${ids.map(id => `${id},Card ${id}\n`).join('')}`], 'plan.csv')
  await world.ok('import_board', { file: table(1, 2, 3), board_id })
  const reason = '2 cards of earlier imports are no longer in the source, and stay here unchanged: 1, 3.'
  const note = { entry: null, line: null, kind: 'card', id: null, reason, severity: 'note' }
  for (const dry_run of [true, false])
    expect(await world.ok('import_board', { file: table(2), board_id, dry_run })).toMatchObject({
      sums: { changed: 0, unchanged: 2 },
      problems: [note],
    })
  expect(await cards(board_id)).toBe(3)
  const [archived] = await world.ok('list_cards', { board_id, q: 'Card 1' })
  await world.ok('delete_card', { card_id: archived.id })
  const { problems } = await world.ok('import_board', { file: table(2), board_id })
  expect(problems).toMatchObject([{ reason: expect.stringMatching(/^1 card of an earlier import .* unchanged: 3\.$/) }])
  expect(await world.ok('import_board', { file: table(2, 3), board_id })).toMatchObject({ problems: [] })
})

// Where nodes share a database, all pieces are put in place in one unit of work.
testOnSqlite('others write on the board while the pieces are put in place (exchange 1)', async () => {
  const board_id = await board()
  const many = fileOf(row => `Card ${row}`, 1_500)
  const importing = world.ok('import_board', { file: many, board_id })
  const phase = async () =>
    (
      await readWithoutLock(world, db =>
        db.selectFrom('imports').select('staged').where('board_id', '=', board_id).execute(),
      )
    )[0]?.staged
  let amid = 0
  await meanwhile(importing, async () => {
    const before = await phase()
    const { status } = await world.call('create_ideation', { board_id, title: 'Meanwhile' })
    if (status === 201 && before === 'placing' && (await phase()) === 'placing') amid++
  })
  expect(amid).toBeGreaterThan(0)
  expect(await cards(board_id)).toBe(1_500)
  const numbers = (await world.ok('list_ideations', { board_id, limit: 200 })).map(({ ref }: { ref: string }) => ref)
  expect(new Set(numbers).size).toBe(numbers.length)
})

test('numbers that records of another board keep are not given again', async () => {
  const { id } = await world.ok('create_board', { name: 'Source', description: '' })
  for (let count = 0; count < 4; count++) await world.ok('create_ideation', { board_id: id, title: `Idea ${count}` })
  const archive = await world.archive(id)
  await world.ok('delete_board', { board_id: id })
  const board_id = await board()
  expect((await world.ok('import_board', { file: archive, board_id })).created).toMatchObject({ ideation: 4 })
  const { ref } = await world.ok('create_ideation', { board_id, title: 'Next' })
  expect(ref).toMatch(/-5$/)
})

test('of two imports at once that keep the same ids, one comes in and the other one is refused', async () => {
  const { id } = await world.ok('create_board', { name: 'Source', description: '' })
  for (let count = 0; count < 100; count++) await world.ok('create_ideation', { board_id: id, title: 'Idea' })
  const file = await world.archive(id)
  await world.ok('delete_board', { board_id: id })
  const boards = [await board(), await board()]
  const answers = await Promise.all(boards.map(board_id => world.call('import_board', { file, board_id })))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  const counts = await Promise.all(boards.map(board_id => world.call('list_ideations', { board_id, limit: 1 })))
  expect(counts.map(totalOf).toSorted((a, b) => a - b)).toEqual([0, 100])
})

test('a record that is changed while it is compared with the file keeps that change', async () => {
  const board_id = await board()
  await world.ok('import_board', { file: fileOf(row => `Card ${row}`, 300), board_id })
  const [card] = await world.ok('list_cards', { board_id, limit: 1 })
  const importing = world.ok('import_board', { file: fileOf(row => `Changed ${row}`, 300), board_id })
  const { status } = await world.call('update_card', { card_id: card.id, title: 'Mine' })
  const { updated, unchanged, problems } = await importing
  expect(status).toBe(200)
  const { title } = await world.ok('get_card', { card_id: card.id })
  // Either the import was judged after the change and says so, or the change came after the import.
  expect(title).toBe('Mine')
  expect([updated.card, unchanged.card ?? 0, problems.length]).toEqual(
    problems.length === 0 ? [300, 0, 0] : [299, 1, 1],
  )
})

test('two imports of one file into one board at once make its records once', async () => {
  const board_id = await board()
  const small = fileOf(row => `Card ${row}`, 200)
  const reports = await Promise.all([1, 2, 3].map(() => world.ok('import_board', { file: small, board_id })))
  expect(reports.map(({ created }) => created.card ?? 0).toSorted((a, b) => a - b)).toEqual([0, 0, 200])
  expect(await cards(board_id)).toBe(200)
})

testOnSqlite('what can never be written is left out, told, and keeps neither others nor the board back', async () => {
  const { id } = await world.ok('create_board', { name: 'Source', description: '' })
  await world.ok('create_ideation', { board_id: id, title: 'Idea' })
  const clashingId = randomUUID()
  const archive = await changedArchive(await world.archive(id), (records, events) => {
    events.length = 0
    const ideation = records.find(({ type }) => type === 'ideation')
    const many = Array.from({ length: 1_000 }, (_, number) => ({
      ...ideation,
      id: number === 0 ? clashingId : randomUUID(),
      number: number + 1,
    }))
    return [records[0], ...many]
  })
  const board_id = await board()
  const importing = world.ok('import_board', { file: new File([archive], 'board.zip'), board_id })
  const { folder } = world
  const pieces = () =>
    readWithoutLock(folder, async db => (await db.selectFrom('import_writes').select('at').execute()).length)
  await expect.poll(pieces, { interval: 1 }).toBeGreaterThan(0)
  await writeWithoutLock(folder, async db => {
    const row = await db.selectFrom('ideations').selectAll().where('board_id', '=', id).executeTakeFirstOrThrow()
    await db
      .insertInto('ideations')
      .values({ ...row, id: clashingId, number: 99 })
      .execute()
  })
  const { read, created, skipped, problems } = await importing
  expect([read, created, skipped]).toEqual([{ ideation: 1_000 }, { ideation: 999 }, { ideation: 1 }])
  expect(problems).toMatchObject([{ kind: 'ideation', id: clashingId, severity: 'skipped' }])
  expect(totalOf(await world.call('list_ideations', { board_id, limit: 1 }))).toBe(999)
})

testOnSqlite.each(['gathering', 'placing'] as const)(
  'killed while its pieces are in the phase "%s", an import has left nothing or is finished by the next start',
  async phase => {
    const folder = mkdtempSync(join(tmpdir(), 'specboard-import-'))
    try {
      const server = await startService(folder)
      const client = createClient({ url: server.url, key: server.key! })
      const { id: board_id } = await client.createBoard({ name: 'Standing', description: '' })
      const importing = client
        .importBoard({ file: fileOf(row => `Card ${row}`, 3_000), board_id })
        .catch(error => error)
      const staged = () =>
        readWithoutLock(folder, async db => ({
          phases: (await db.selectFrom('imports').select('staged').execute()).map(({ staged }) => staged),
          pieces: (await db.selectFrom('import_writes').select('at').execute()).length,
        }))
      await expect
        .poll(staged, { interval: 1 })
        .toEqual({ phases: [phase], pieces: expect.toSatisfy((pieces: number) => pieces > 0) })
      await killed(server.child)
      expect(await importing).toBeInstanceOf(Error)
      const opened = await openService({ folder, version: '1' })
      await opened.close()
      expect(await staged()).toEqual({ phases: [], pieces: 0 })
      const { rows: found } = await inspectDatabase(folder)
      expect([found.boards, found.cards, found.specs]).toEqual(phase === 'placing' ? [1, 3_000, 1] : [1, 0, 0])
      const files = readdirSync(join(folder, 'attachments'), { recursive: true, withFileTypes: true })
      expect(files.filter(entry => entry.isFile())).toEqual([])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
