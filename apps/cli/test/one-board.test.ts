/**
 * Keeps statements on one board: on an engine that places rows by their board, a statement that names a board for every
 * table it reads runs in one place (docs/deployment.md, Other engines). PostgreSQL's own plans show what a statement
 * compares.
 */
import { readFileSync, rmSync } from 'node:fs'
import { canStartServer, onServer, privateServer, volatileOptions } from '@specboard/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tables } from '../../../packages/domain/src/schema/tables/all.ts'
import { rows } from './operations/rows.ts'
import { statementsOffBoard } from './statements-off-board.ts'
import { type BoardTables, unboundIn } from './support/board-bounds.ts'
import { Person } from './support/person.ts'
import { nameOf, reads, writes } from './support/planned-calls.ts'
import { ableToTellPlans, loggingPlans, type Planned, plansOf } from './support/postgres-plans.ts'
import { Scene } from './support/scene.ts'
import { graphAtWork, World } from './support/world.ts'

const missing = canStartServer() ? '' : ': no PostgreSQL: install its programs (initdb, postgres)'

/** The tables whose rows all belong to a board, except those of the graph, which is built at other times. */
const boardTables: BoardTables = new Map(
  tables
    .filter(({ name }) => !name.startsWith('kg_'))
    .filter(({ name, columns }) => name === 'boards' || (columns.board_id?.references && !columns.board_id.isNullable))
    .map(({ name, key }): [string, readonly string[]] => [name, key]),
)

/** What the server runs for foreign keys, which an engine that places rows does in its own way. */
const isOfForeignKey = ({ sql }: Planned): boolean => /^(?:SELECT|UPDATE|DELETE) .*ONLY "public"/.test(sql)

describe.skipIf(missing !== '')(`statements of PostgreSQL${missing}`, () => {
  let server: Awaited<ReturnType<typeof privateServer>>
  let world: World
  /** The plans of all statements of the operations, and of the background work that they cause. */
  const planned: Planned[] = []

  beforeAll(async () => {
    const verbose = 'auto_explain.log_verbose=on'
    server = await privateServer({ options: [...volatileOptions, ...ableToTellPlans, verbose] })
    const databaseUrl = await server.database()
    world = await World.start({ databaseUrl })
    const { folder, owner } = world
    await world.running.stop()
    // Without what is unique across all boards: the keys that include the board are enough.
    await onServer(databaseUrl, readFileSync(new URL('../../../deploy/by-board.sql', import.meta.url), 'utf8'))
    await onServer(databaseUrl, `alter database ${new URL(databaseUrl).pathname.slice(1)} set ${loggingPlans}`)
    world = await World.on(folder, { ...graphAtWork, databaseUrl }, owner.key)
    const scene = await Scene.on(world)
    for (const operation of [...writes, ...reads])
      planned.push(
        ...(await plansOf(async () => {
          const name = nameOf(operation)
          const args = await rows[name].args(scene, world.owner)
          const as = operation.caller === undefined ? {} : (await Person.owner(world)).page
          const { status, body } = await world.call(name, args, as)
          expect([name, status < 300 ? undefined : body]).toEqual([name, undefined])
        })),
      )
    planned.push(...(await plansOf(() => world.running.stop())))
  }, 600_000)

  afterAll(async () => {
    await server?.stop()
    if (world !== undefined) rmSync(world.folder, { recursive: true, force: true })
  })

  test('say the board of every table, or are known not to', () => {
    const own = planned.filter(one => !isOfForeignKey(one))
    expect(new Set(own.map(({ sql }) => sql)).size).toBeGreaterThan(500)
    const found = new Map<string, Set<string>>()
    for (const { sql, plan } of own)
      for (const shape of unboundIn(plan, boardTables)) found.set(shape, (found.get(shape) ?? new Set()).add(sql))
    const accepted = new Map(Object.values(statementsOffBoard).flatMap(group => Object.entries(group)))
    const more = [...found].filter(([shape, statements]) => statements.size > (accepted.get(shape) ?? 0))
    expect(
      more.map(([shape, statements]) => ({ how: shape, known: accepted.get(shape) ?? 0, statements: [...statements] })),
    ).toEqual([])
    expect([...accepted.keys()].filter(shape => !found.has(shape))).toEqual([])
  })
})
