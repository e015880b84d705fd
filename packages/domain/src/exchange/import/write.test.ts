import { Connection } from '@specboard/storage'
import { testOnSqlite } from '@specboard/storage/on-sqlite'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { GraphWorld } from '../../../test/graph-world.ts'
import type { ImportWrite } from '../../schema/contents.ts'
import { performAll } from './write.ts'

let world: GraphWorld

beforeEach(async () => {
  world = await GraphWorld.start()
})

afterEach(() => world.stop())

const knowledge = (owner_id: string, id: string, content: string): ImportWrite => ({
  kind: 'card knowledge',
  row: {
    id,
    owner_id,
    title: id,
    content,
    mime_type: 'text/markdown',
    created_by: 'a',
    created_at: '',
    updated_at: '',
  },
})

testOnSqlite('knowledge of cards is put in place card by card, however it is mixed (walls 3, rule 4)', async () => {
  const { boardId: board_id } = world
  const spec_id = await world.spec({ status: 'approved' })
  const [one, two] = [
    await world.ok('create_card', { board_id, spec_id, title: 'One' }),
    await world.ok('create_card', { board_id, spec_id, title: 'Two' }),
  ]
  const writes = Array.from({ length: 200 }, (_, at) => knowledge(at % 2 === 0 ? one.id : two.id, `k${at}`, 'old'))
  const changed = knowledge(one.id, 'k0', 'new')
  const run = vi.spyOn(Connection.prototype, 'execute')
  const unit = { now: '', newId: () => '' }
  await world.opened.service.database.write(db =>
    performAll([...writes, changed], db, { boardId: board_id, isNew: false }, unit),
  )
  const updates = run.mock.calls.filter(([statement]) => /^update "cards"/.test(statement))
  run.mockRestore()
  expect(updates).toHaveLength(2)
  const { knowledge_bases } = await world.ok('get_card', { card_id: one.id })
  expect(knowledge_bases.map(({ id }: { id: string }) => id)).toEqual(
    Array.from({ length: 100 }, (_, at) => `k${2 * at}`),
  )
  expect(knowledge_bases[0].content).toBe('new')
})
