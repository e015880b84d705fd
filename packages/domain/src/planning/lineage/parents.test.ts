import { afterAll, beforeAll, expect, test } from 'vitest'
import { GraphWorld } from '../../../test/graph-world.ts'
import { parentsOf } from './parents.ts'

let world: GraphWorld

beforeAll(async () => {
  world = await GraphWorld.start()
})

afterAll(() => world.stop())

test('finds the records directly above others, by kind', async () => {
  const { boardId: board_id } = world
  const ideation = await world.ok('create_ideation', { board_id, title: 'Ideation' })
  const spec = await world.spec({ ideation_id: ideation.id })
  await world.opened.service.database.write(db =>
    db.updateTable('specs').set({ status: 'approved' }).where('id', '=', spec).execute(),
  )
  const card = await world.ok('create_card', { board_id, title: 'Card', spec_id: spec })
  const parents = (type: 'card' | 'spec' | 'ideation', id: string) => parentsOf(world.opened.service, [{ type, id }])
  expect(await parents('card', card.id)).toEqual([{ type: 'spec', id: spec }])
  expect(await parents('spec', spec)).toEqual([{ type: 'ideation', id: ideation.id }])
  expect(await parents('ideation', ideation.id)).toEqual([])
  expect(await parents('card', 'absent')).toEqual([])
})
