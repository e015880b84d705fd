import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GraphWorld } from '../../test/graph-world.ts'
import type { Schema } from '../schema/tables.ts'
import { otherIds } from './check-ids.ts'

let world: GraphWorld

beforeAll(async () => {
  world = await GraphWorld.start()
})

afterAll(() => world.stop())

const found = (max = 100) => world.opened.service.database.read(db => otherIds(db, max))

/** Gives a record another id by a statement that no service runs. */
const rename = (table: keyof Schema, from: string, to: string) =>
  world.opened.service.database.write(db =>
    sql`update ${sql.table(table)} set id = ${to} where id = ${from}`.execute(db),
  )

test('boards and records with ids of another form are named, and no others (walls 1, rule 3)', async () => {
  const { boardId: board_id } = world
  const spec_id = await world.spec({ status: 'approved' })
  const card = await world.ok('create_card', { board_id, spec_id, title: 'Card' })
  await world.ok('create_card_knowledge', { card_id: card.id, title: 'Notes', content: 'Text' })
  const ideation = await world.ok('create_ideation', { board_id, title: 'Idea' })
  const agent = await world.ok('create_agent', { name: 'Worker' })
  const empty = await world.ok('create_board', { name: 'Empty', description: '' })
  expect(await found()).toEqual({ total: 0, first: [] })

  const { database } = world.opened.service
  const events = await database.read(db =>
    db.selectFrom('events').select('id').where('board_id', '=', board_id).execute(),
  )
  await database.write(db => db.deleteFrom('events').where('board_id', '=', empty.id).execute())
  await rename('ideations', ideation.id, ideation.id.toUpperCase())
  await rename('agents', agent.id, 'none')
  await rename('boards', empty.id, '../../.ssh')
  await rename('events', events[0]!.id, `${events[0]!.id}\n`)
  const chosen = { id: 'mine', title: 'Own', content: 'Its id is chosen by the caller.' }
  await world.ok('update_card', { card_id: card.id, knowledge_bases: [chosen], lists: 'merge' })
  expect(await found()).toEqual({
    total: 4,
    first: [
      { type: 'board', id: '../../.ssh', board_id: '../../.ssh' },
      { type: 'agent', id: 'none', board_id: null },
      { type: 'event', id: `${events[0]!.id}\n`, board_id },
      { type: 'ideation', id: ideation.id.toUpperCase(), board_id },
    ],
  })
  expect(await found(2)).toMatchObject({ total: 4, first: [{ type: 'board' }, { type: 'agent' }] })
})
