import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFull } from './support/full-board.ts'
import type { Scene } from './support/scene.ts'
import { World } from './support/world.ts'
import { changedArchive, linesOf, zipEntries } from './support/zip-entries.ts'

let world: World
let other: World
let full: Scene
let archive: File

beforeAll(async () => {
  ;({ world, full } = await startFull())
  other = await World.start()
  archive = await world.archive(full.boardId)
})

afterAll(async () => {
  await world.stop()
  await other.stop()
})

const hostile = ['../../.ssh', 'ATT-2', 'a/b', '', 'x'.repeat(5_000), randomUUID().toUpperCase()]

// biome-ignore lint/suspicious/noExplicitAny: records of all kinds
type Line = any
type Change = (records: Line[], events: Line[], agents: Line[]) => unknown

const archiveWith = async (change: Change) => new File([await changedArchive(archive, change)], 'board.zip')

/** Everything that has its own id in an archive: a line of each kind, the parts of a design, an entry, an agent. */
const places: readonly (readonly [string, (records: Line[], events: Line[], agents: Line[]) => Line])[] = [
  ...'board guideline ideation refinement spec sprint card question knowledge comment attachment architecture snapshot spec_validation task_validation dependency saved_search template graph_action history repository change author test_report proof_run'
    .split(' ')
    .map(kind => [kind, (records: Line[]) => records.find(({ type }) => type === kind)] as const),
  ['version', records => records.find(({ versions }) => versions?.length > 0).versions[0]],
  ['payload', records => records.find(({ payloads }) => payloads?.length > 0).payloads[0]],
  ['evaluation', records => records.find(({ evaluations }) => evaluations?.length > 0).evaluations[0]],
  ['event', (_, events) => events[0]],
  ['agent', (_records, _events, agents) => agents[0]],
]

/** Each archive is read as a whole, and one rule judges the ids of all kinds: the quick run gives each kind two of them. */
const hostileTo = (place: number): readonly string[] =>
  process.env.SPECBOARD_TESTS === 'quick'
    ? [0, 3].map(further => hostile[(place + further) % hostile.length]!)
    : hostile

describe('an archive with ids of another form (walls 1)', () => {
  test.each(places)('of a %s is refused, naming entry and line', async (name, found) => {
    for (const id of hostileTo(places.findIndex(([place]) => place === name))) {
      const file = await archiveWith((...lines) => {
        found(...lines).id = id
      })
      const { status, body } = await other.call('import_board', { file })
      expect([status, body.detail]).toMatchObject([400, { error: 'VALIDATION_ERROR' }])
      if (name !== 'board')
        expect(body.detail).toMatchObject({ entry: expect.stringMatching(/jsonl$/), line: expect.any(Number) })
      if (!(name === 'agent' && id === '')) expect(body.detail.message).toContain('keep_ids=false')
    }
    expect(await other.ok('list_boards')).toEqual([])
  })

  test('is taken with keep_ids=false: each is replaced, wherever it stands', async () => {
    const file = await archiveWith((records, events, agents) => {
      const names = new Map<string, string>()
      for (const [at, [name, found]] of places.entries()) {
        // Log entries that are also in a history have the same id in both.
        if (name === 'event' || name === 'history') continue
        const line = found(records, events, agents)
        const id = name === 'agent' ? 'root' : hostile[at % hostile.length]!
        names.set(line.id, id)
        line.id = id
      }
      const renameIn = (value: Line): void => {
        for (const [key, member] of Object.entries(value))
          if (typeof member === 'object' && member !== null) renameIn(member)
          else value[key] = names.get(String(member)) ?? member
      }
      renameIn([records, events, agents])
    })
    const { status, body } = await other.call('import_board', { file, keep_ids: false })
    expect([status, body]).toMatchObject([201, { skipped: {} }])
    const entries = await zipEntries(await other.archive(body.board_id))
    const lines = ['records.jsonl', 'events.jsonl', 'agents.jsonl'].flatMap(name => linesOf(entries.get(name)))
    const ids = lines.flatMap(({ id }) => id ?? [])
    for (const id of ids) expect(id).toMatch(/^(?:external:|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$)/)
    await other.ok('delete_board', { board_id: body.board_id })
  })

  test('writes no file outside and removes no folder: the archive of the audit', async () => {
    const file = await archiveWith(records => {
      const board = records.find(({ type }) => type === 'board')
      board.id = '../../.ssh'
      records.find(({ type }) => type === 'attachment').filename = 'authorized_keys'
    })
    for (const keep_ids of [true, false]) {
      const { status, body } = await other.call('import_board', { file, keep_ids })
      expect(status).toBe(keep_ids ? 400 : 201)
      if (!keep_ids) await other.ok('delete_board', { board_id: body.board_id })
    }
    expect(existsSync(join(other.folder, '..', '.ssh'))).toBe(false)
  })

  test('knowledge on a card with an id that a caller chose leaves and comes back', async () => {
    const card_id = await full.card()
    await world.ok('update_card', { card_id, knowledge_bases: [{ id: 'mine', title: 'Mine', content: 'Text' }] })
    const file = await world.archive(full.boardId)
    const again = await world.ok('import_board', { file, board_id: full.boardId })
    expect([again.created, again.problems]).toEqual([{}, []])
    const fresh = await World.start()
    try {
      await fresh.ok('import_board', { file })
      const records = async (at: World) =>
        String((await zipEntries(await at.archive(full.boardId))).get('records.jsonl'))
      expect(await records(fresh)).toBe(await records(world))
    } finally {
      await fresh.stop()
    }
  })
})
