import { setImmediate as turn } from 'node:timers/promises'
import { testOnSqlite } from '@specboard/storage/on-sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GraphWorld } from '../../../test/graph-world.ts'

let world: GraphWorld

beforeAll(async () => {
  world = await GraphWorld.start()
})

afterAll(() => world.stop())

const queued = () =>
  world.opened.service.database.read(db =>
    db.selectFrom('kg_queue').select(['artifact_id', 'triggered_by_event', 'attempts', 'status']).execute(),
  )

testOnSqlite('writes of one group on one record leave one entry, with the cause of the first', async () => {
  const spec_id = await world.spec()
  await world.drain()
  await Promise.all([
    world.ok('update_spec', { spec_id, title: 'First' }),
    world.ok('move_spec', { spec_id, status: 'review' }),
    world.ok('update_spec', { spec_id, title: 'Second' }),
  ])
  expect(await queued()).toEqual([
    { artifact_id: spec_id, triggered_by_event: 'spec.updated', attempts: 0, status: 'pending' },
  ])
  await world.drain()
  expect(await queued()).toEqual([])
})

testOnSqlite('deleting a board in the same group as a write on its record does not fail the group', async () => {
  const { id: board_id } = await world.ok('create_board', { name: 'Going', description: '' })
  const { id: ideation_id } = await world.ok('create_ideation', { board_id, title: 'Begun' })
  // The first call of an operation loads its module, which takes longer than the group waits.
  await world.ok('update_ideation', { ideation_id, title: 'Going' })
  const changing = world.ok('update_ideation', { ideation_id, title: 'Gone' })
  // A group waits three turns of the event loop for further units.
  await turn()
  const [changed, deleted, created] = await Promise.allSettled([
    changing,
    world.ok('delete_board', { board_id }),
    world.spec(),
  ])
  expect([changed.status, deleted.status, created.status]).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
  await world.opened.service.environment.removals.run()
  const entries = await queued()
  expect(entries.some(entry => entry.artifact_id === ideation_id)).toBe(false)
  expect(entries.some(entry => created.status === 'fulfilled' && entry.artifact_id === created.value)).toBe(true)
})

test('the entry is paused when consolidation is off for the board', async () => {
  await world.ok('put_board_kg_settings', { board_id: world.boardId, consolidation_enabled: false })
  const spec_id = await world.spec()
  expect(await queued()).toContainEqual(expect.objectContaining({ artifact_id: spec_id, status: 'paused' }))
})
