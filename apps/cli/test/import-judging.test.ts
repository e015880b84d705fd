import { randomUUID } from 'node:crypto'
/** How the records of an import are judged before anything is written (exchange 1.3, 1.4, 1.5). */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startFull } from './support/full-board.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'
import { changedArchive, linesOf, zipEntries, zipOf } from './support/zip-entries.ts'

let world: World
let full: Scene
let other: World

beforeAll(async () => {
  ;({ world, full } = await startFull())
  other = await World.start()
})

afterAll(async () => {
  await world.stop()
  await other.stop()
})

type Change = Parameters<typeof changedArchive>[1]

const changed = async (archive: File, change: Change): Promise<File> =>
  new File([await changedArchive(archive, change)], 'board.zip', { type: 'application/zip' })
const into = (at: World, file: File, query: object = {}) => at.call('import_board', { file, ...query })
const standing = async (at: World): Promise<string> =>
  (await at.ok('create_board', { name: 'Standing', description: '' })).id
const refusedAt = (entry: string) => [400, { error: 'VALIDATION_ERROR', entry, line: expect.any(Number) }]

test('a global guideline that the board links already is unchanged, and the service starts again', async () => {
  let alone = await World.start()
  try {
    const { id: guideline_id } = await alone.ok('create_guideline', {
      title: 'Rule',
      content: 'Be kind',
      scope: 'global',
    })
    const board_id = await standing(alone)
    await alone.ok('add_board_guideline', { board_id, guideline_id })
    const archive = await alone.archive(board_id)
    for (const dry_run of [true, false]) {
      const { status, body } = await into(alone, archive, { board_id, dry_run })
      expect([status, body.created, body.problems]).toEqual([200, {}, []])
      expect(body.unchanged).toEqual(body.read)
      expect(body.read).toMatchObject({ guideline: 1 })
    }
    alone = await alone.restart()
    expect(await alone.ok('list_board_guidelines', { board_id })).toHaveLength(1)
  } finally {
    await alone.stop()
  }
})

test('the archive of a board with everything changes nothing on that board', async () => {
  const { boardId } = full
  const { status, body } = await into(world, await world.archive(boardId), { board_id: boardId })
  expect([status, body.created, body.updated, body.skipped]).toEqual([200, {}, {}, {}])
  expect(body.unchanged).toEqual(body.read)
})

describe('ids that stand in another place are 409 ID_TAKEN with them', () => {
  const takenIds = async (file: File, query: object = {}): Promise<readonly string[]> => {
    const { status, body } = await into(world, file, query)
    expect([status, body.detail.error]).toEqual([409, 'ID_TAKEN'])
    return body.detail.ids
  }

  test('those of what a parent has come after its own', async () => {
    const scene = await Scene.on(world)
    const spec_id = await scene.spec('approved')
    const card_id = await scene.card({ spec_id })
    const { id } = await world.ok('create_card_knowledge', { card_id, title: 'Known', content: 'It is known' })
    const file = await world.archive(scene.boardId)
    expect(await takenIds(file, { board_id: await standing(world) })).toEqual(
      expect.arrayContaining([spec_id, card_id, id]),
    )
    expect(await takenIds(file)).toEqual(expect.arrayContaining([scene.boardId, spec_id, card_id, id]))
  })

  test('those of the parts of a design', async () => {
    const scene = await Scene.on(world)
    await world.ok('create_ideation_architecture', {
      ideation_id: await scene.ideation(),
      title: 'Orders',
      global_description: 'How orders flow.',
      diagrams: [{ id: 'map', title: 'Map', adapter_payload: { first: 1 }, format: 'raw' }],
    })
    const parts: string[] = []
    const file = await changed(await world.archive(scene.boardId), (records, events) => {
      events.length = 0
      const [board, ...others] = records.filter(({ type }) => ['board', 'ideation', 'architecture'].includes(type))
      const ideation = randomUUID()
      for (const record of others) {
        record.id = record.type === 'ideation' ? ideation : randomUUID()
        if (record.type !== 'architecture') continue
        record.parent_id = ideation
        parts.push(...[...record.versions, ...record.payloads].map(({ id }) => id))
      }
      return [board, ...others]
    })
    expect(parts).toHaveLength(2)
    const board_id = await standing(world)
    expect(new Set(await takenIds(file, { board_id }))).toEqual(new Set(parts))
    expect(new Set(await takenIds(await renamedBoard(file)))).toEqual(new Set(parts))
    expect((await into(world, file, { board_id, keep_ids: false })).body.created).toMatchObject({ architecture: 1 })
  })

  test('those of entries of the log, up to twenty', async () => {
    const scene = await Scene.on(world)
    for (let count = 0; count < 30; count++) await scene.ideation()
    const ids: string[] = []
    const file = await changed(await renamedBoard(await world.archive(scene.boardId)), (records, events) => {
      ids.push(...events.map(({ id }) => id))
      return records.slice(0, 1)
    })
    expect(await takenIds(file)).toEqual(ids.slice(0, 20))
  })

  /** The same archive, of a board with another id and key. */
  const renamedBoard = async (file: File): Promise<File> => {
    const entries = [...(await zipEntries(file))]
    const manifest = JSON.parse(String(entries[0]![1]))
    manifest.board.id = randomUUID()
    const copied = await zipOf([[entries[0]![0], JSON.stringify(manifest)], ...entries.slice(1)])
    return changed(new File([copied], 'board.zip'), ([board]) => {
      board.id = manifest.board.id
    })
  }
})

describe('the log', () => {
  let archive: File

  beforeAll(async () => {
    const scene = await Scene.on(world)
    await scene.refinement()
    archive = await world.archive(scene.boardId)
  })

  const refuses = async (entry: string, change: Change, at = other) => {
    const { status, body } = await into(at, await changed(archive, change))
    expect([status, body.detail]).toMatchObject(refusedAt(entry))
  }

  test('has no two entries of one sequence, in the histories and the events together', async () => {
    await refuses('events.jsonl', (records, events) => {
      const { id } = records.find(({ type }) => type === 'history')
      events.find(event => event.id === id).id = randomUUID()
    })
    await refuses('events.jsonl', (records, events) => {
      const history = records.find(({ type }) => type === 'history')
      const last = events.at(-1).sequence
      expect(events.some(({ id }) => id === history.id)).toBe(true)
      history.sequence = last + 1
    })
  })

  test('names no kind that there is none of', async () => {
    for (const entity_type of ['foo', 'card', 'board'])
      await refuses('records.jsonl', records => {
        Object.assign(
          records.find(({ type }) => type === 'history'),
          { entity_type },
        )
      })
    await refuses('events.jsonl', (_, events) => {
      events.at(-1).entity_type = 'foo'
    })
    await refuses('records.jsonl', records => {
      const { created_at, id } = records.find(({ type }) => type === 'ideation')
      records.push({ ...named(id, created_at), entity_type: 'foo' })
    })
  })

  test('and external ids name nothing that stands in another place', async () => {
    const ours = await Scene.on(other)
    const [spec_id, card_id] = [await ours.spec(), await ours.card()]
    await refuses('records.jsonl', records => {
      Object.assign(
        records.find(({ type }) => type === 'history'),
        { entity_type: 'spec', entity_id: spec_id },
      )
    })
    await refuses('events.jsonl', (_, events) => {
      events.at(-1).card_id = card_id
    })
    await refuses('events.jsonl', (_, events) => {
      Object.assign(events.at(-1), { entity_type: 'board', entity_id: ours.boardId })
    })
    await refuses('records.jsonl', records => {
      records.push(named(card_id, records[0].created_at))
    })
  })

  test('and external ids may be about what was deleted', async () => {
    const deleted = randomUUID()
    const file = await changed(archive, (records, events) => {
      Object.assign(
        records.find(({ type }) => type === 'history'),
        { entity_id: deleted },
      )
      Object.assign(events.at(-1), { card_id: deleted })
      records.push(named(deleted, records[0].created_at))
    })
    expect((await into(other, file)).status).toBe(201)
  })

  const named = (entity_id: string, created_at: string) => ({
    type: 'external_id',
    source: 'csv',
    external_id: '1',
    entity_type: 'card',
    entity_id,
    imported: {},
    created_at,
  })
})

const deletions = {
  attachment: ['delete_attachment', 'attachment_id'],
  comment: ['delete_comment', 'comment_id'],
  architecture: ['delete_architecture', 'design_id'],
  guideline: ['delete_guideline', 'guideline_id'],
  card: ['delete_card', 'card_id'],
  sprint: ['delete_sprint', 'sprint_id'],
  spec: ['delete_spec', 'spec_id'],
  refinement: ['delete_refinement', 'refinement_id'],
  ideation: ['delete_ideation', 'ideation_id'],
} as const

test('a board on which records of every kind were deleted leaves, comes in and leaves again byte for byte', async () => {
  const { world, full } = await startFull()
  onTestFinished(() => world.stop())
  // A service in which no board has its key.
  const other = await World.start()
  onTestFinished(() => other.stop())
  const { boardId: board_id } = full
  const { body: imported } = await into(world, new File(['id,title\n1,One\n2,Two\n'], 'plan.csv'), { board_id })
  expect(imported.created).toMatchObject({ card: 2 })
  const records = linesOf((await zipEntries(await world.archive(board_id))).get('records.jsonl'))
  let deleted = 0
  for (const [kind, of] of Map.groupBy(records, ({ type }) => type)) {
    if (!(kind in deletions)) continue
    const [operation, parameter] = deletions[kind as keyof typeof deletions]
    for (const [at, { id }] of of.entries()) {
      if (at % 2 === 1) continue
      const { status } = await world.call(operation, { [parameter]: id })
      if (status < 300) deleted++
    }
  }
  expect(deleted).toBeGreaterThan(20)
  const archive = await world.archive(board_id)
  const { status, body } = await into(other, archive)
  expect([status, body.skipped]).toEqual([201, {}])
  const [before, after] = [await zipEntries(archive), await zipEntries(await other.archive(board_id))]
  for (const name of ['records.jsonl', 'events.jsonl', 'agents.jsonl'])
    expect(String(after.get(name)).split('\n'), name).toEqual(String(before.get(name)).split('\n'))
})

describe('a card of another tool whose spec was deleted here', () => {
  const issue = (id: string, more: object = {}) =>
    `${JSON.stringify({ id, title: id, status: 'open', priority: 1, issue_type: 'task', ...more })}\n`
  const below = (id: string, epic: string) =>
    issue(id, { dependencies: [{ issue_id: id, depends_on_id: epic, type: 'parent-child' }] })
  const plan = (...more: string[]) =>
    new File([issue('bd-1', { issue_type: 'epic' }), below('bd-2', 'bd-1'), ...more], 'issues.jsonl')

  test('comes into the spec "Imported", which is made, and stays there', async () => {
    const board_id = await standing(world)
    await world.ok('import_board', { file: plan(), board_id })
    const [{ id: spec_id }] = await world.ok('list_specs', { board_id })
    await world.ok('delete_spec', { spec_id })
    const file = plan(below('bd-3', 'bd-1'))
    const dry = await world.ok('import_board', { file, board_id, dry_run: true })
    const report = await world.ok('import_board', { file, board_id })
    expect(report.created).toEqual(dry.created)
    expect(report.created).toEqual({ spec: 1, card: 1 })
    expect(report.skipped).toMatchObject({ spec: 1 })
    expect(report.problems).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          kind: 'card',
          id: 'bd-3',
          severity: 'changed',
          reason: expect.stringContaining('bd-1'),
        }),
      ]),
    )
    const homeOf = async (title: string) => {
      const cards = await world.ok('list_cards', { board_id })
      const card = cards.find((one: { title: string }) => one.title === title)
      return card.spec_id === null ? null : (await world.ok('get_spec', { spec_id: card.spec_id })).title
    }
    expect(await homeOf('bd-3')).toBe('Imported')
    const again = await world.ok('import_board', { file, board_id })
    expect([again.created, again.updated]).toEqual([{}, {}])
    expect(await homeOf('bd-3')).toBe('Imported')
    // If "Imported" was deleted too, a new one is created.
    const [{ id: imported }] = await world.ok('list_specs', { board_id })
    await world.ok('delete_spec', { spec_id: imported })
    const third = await world.ok('import_board', { file: plan(below('bd-4', 'bd-1'), below('bd-5', 'bd-1')), board_id })
    expect(third.created).toEqual({ spec: 1, card: 2 })
    expect([await homeOf('bd-4'), await homeOf('bd-5')]).toEqual(['Imported', 'Imported'])
  })
})
