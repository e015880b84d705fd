import { checkSearch, readWithoutLock } from '@specboard/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EventStream } from './support/event-stream.ts'
import { World } from './support/world.ts'
import { zipOf } from './support/zip-entries.ts'

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const board = async (): Promise<string> => (await world.ok('create_board', { name: 'Standing', description: '' })).id

describe('scenarios of a Spec Kit project', () => {
  const specification = '## User Story 1 - Albums\n\n1. **Given** photos, **When** one is made, **Then** it is shown.\n'
  const project = async () =>
    new File(
      [
        await zipOf([
          ['specs/001-photo/spec.md', `# Feature Specification: Photo\n\n${specification}`],
          ['specs/001-photo/tasks.md', '## Phase 1\n\n- [ ] T004 [P] [US1] Make albums\n- [ ] T005 [P] [US1] Show\n'],
        ]),
      ],
      'project.zip',
    )

  test.each(['a new board', 'a board that stands'])('name their cards on %s', async on => {
    const into = on === 'a new board' ? {} : { board_id: await board() }
    const { board_id } = await world.ok('import_board', { file: await project(), ...into })
    const cards: { id: string; labels: string[] }[] = await world.ok('list_cards', { board_id })
    const [{ id: spec_id }] = await world.ok('list_specs', { board_id })
    const { test_scenarios } = await world.ok('get_spec', { spec_id })
    const { linked_task_ids } = test_scenarios[0]
    expect(linked_task_ids.toSorted()).toEqual(cards.map(({ id }) => id).toSorted())
    const again = await world.ok('import_board', { file: await project(), board_id })
    expect([again.created, again.updated, again.problems]).toEqual([{}, {}, []])
  })
})

test('search finds what an import adds to the knowledge of a card that stands, and changes in it', async () => {
  const table = (note: string) => new File([`id,title,weather\n1,One,${note}\n`], 'plan.csv')
  const found = async (q: string) => (await world.ok('search_records', { q, board_id })).length
  const { board_id } = await world.ok('import_board', { file: table('') })
  expect(await found('drizzle')).toBe(0)
  const added = await world.ok('import_board', { file: table('drizzle'), board_id })
  expect(added).toMatchObject({ created: { knowledge: 1 }, updated: {} })
  expect(await found('drizzle')).toBe(1)
  await world.ok('import_board', { file: table('thunder'), board_id })
  expect([await found('drizzle'), await found('thunder')]).toEqual([0, 1])
  const place = { folder: world.folder, databaseUrl: world.databaseUrl }
  expect(await readWithoutLock(place, checkSearch)).toMatchObject({ wrong: 0 })
})

test('a short import is told of at its beginning and when everything is written (exchange 1)', async () => {
  const stream = await EventStream.open(world, '/api/v1/me/events/stream')
  const table = new File(['id,title\n1,One\n2,Two\n'], 'plan.csv')
  const { import_id } = await world.ok('import_board', { file: table })
  const messages: unknown[] = []
  while (messages.length < 2) {
    const message = (await stream.next())!
    if (message.event === 'import') messages.push(message.data)
  }
  const about = { import_id, filename: 'plan.csv', total: 3 }
  expect(messages).toEqual([
    { ...about, phase: 'reading', done: 0 },
    { ...about, phase: 'writing', done: 3 },
  ])
  stream.close()
})
