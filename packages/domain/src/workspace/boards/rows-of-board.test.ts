import { testOnSqlite } from '@specboard/storage/on-sqlite'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect } from 'vitest'
import { GraphWorld } from '../../../test/graph-world.ts'
import { partsOfBoards } from '../../schema/rows-of-board.ts'
import { tables } from '../../schema/tables/all.ts'

let world: GraphWorld

beforeAll(async () => {
  world = await GraphWorld.start()
})

afterAll(() => world.stop())

const rowsOf = <Row>(text: string) =>
  world.opened.service.database.read(async db => (await sql.raw<Row>(text).execute(db)).rows)

const referring = (table: string) =>
  rowsOf<{ child: string; column: string }>(`select m.name as child, f."from" as "column" from sqlite_master m,
    pragma_foreign_key_list(m.name) f where m.type = 'table' and f."table" = '${table}'`)

testOnSqlite('every table with rows of boards is emptied in pieces, or has few', async () => {
  const found = new Set((await referring('boards')).map(({ child }) => child))
  const removable = new Set<string>(tables.filter(({ removed }) => removed !== undefined).map(({ name }) => name))
  expect([...found].filter(table => !removable.has(table))).toEqual([])
})

testOnSqlite('no row takes rows of other tables that come later', async () => {
  const order = partsOfBoards.map(({ table }): string => table)
  for (const [place, table] of order.entries()) {
    const children = (await referring(table)).map(({ child }) => child).filter(child => child !== table)
    const later = children.filter(child => order.indexOf(child) > place)
    expect([table, later]).toEqual([table, []])
  }
})
