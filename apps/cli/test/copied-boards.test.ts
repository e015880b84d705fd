import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { validation } from './operations/specs.rows.ts'
import { type Archived, archivedRecords, expectCopied, expectMade } from './support/copied-records.ts'
import { type ChangeName, changes, varied } from './support/drawn-changes.ts'
import { graphAtWork, World } from './support/world.ts'

/** The number of generated boards; set it high for a thorough run. */
const runs = Number(process.env.SPECBOARD_COPY_RUNS ?? 2)

/** Ends a test that would wait for ever, ms: each call takes a while where nodes share a database. */
const limit = 60_000 * (1 + runs)

let here: World
let elsewhere: World

beforeAll(async () => {
  here = await World.start(graphAtWork)
  elsewhere = await World.start(graphAtWork)
})

afterAll(() => Promise.all([here?.stop(), elsewhere?.stop()]))

const change = fc.tuple(fc.constantFrom(...(Object.keys(changes) as ChangeName[])), fc.integer({ min: 0, max: 11 }))
const scenario = fc.record({
  /** Whether the copy keeps the ids, in another service. */
  keeps: fc.boolean(),
  source: fc.array(change, { minLength: 3, maxLength: 10 }),
  copy: fc.array(change, { maxLength: 6 }),
})

async function changed(world: World, board_id: string, drawnChanges: readonly [ChangeName, number][]): Promise<void> {
  for (const [name, draw] of drawnChanges) await changes[name]({ world, board_id, draw })
}

type Names = Map<string, string>

const records = async (world: World, board_id: string, names: Names): Promise<Archived> =>
  archivedRecords(await world.archive(board_id), names)

test(
  'a copy follows its source in all that was not changed in it, and stays whole (exchange 1.3)',
  { timeout: limit },
  () =>
    fc.assert(
      fc.asyncProperty(scenario, async ({ keeps, source, copy }) => {
        const there = keeps ? elsewhere : here
        const source_id = await varied(here)
        const file = await here.archive(source_id)
        const { board_id } = await there.ok('import_board', { file, keep_ids: keeps })
        const named: Names = new Map()
        const namedThere: Names = new Map()
        const last = await archivedRecords(file, named)
        expectMade(last, await records(there, board_id, namedThere))
        await changed(here, source_id, source)
        await changed(there, board_id, copy)
        const again = await here.archive(source_id)
        const before = await records(there, board_id, namedThere)
        const report = await there.ok('import_board', { file: again, board_id, keep_ids: keeps })
        const after = await records(there, board_id, namedThere)
        expectCopied({ last, file: await archivedRecords(again, named), before, after, report })
        await expectWhole(there, board_id)
        const second = await there.ok('import_board', { file: again, board_id, keep_ids: keeps })
        expect([second.created, second.updated]).toEqual([{}, {}])
      }),
      { numRuns: runs, endOnFailure: true },
    ),
)

/** The refusals of changes to a record that is intact. */
const expectedErrors: ReadonlySet<unknown> = new Set(['ARCHIVED', 'SPEC_LOCKED'])

/** Every record that may be changed can be. */
async function expectWhole(world: World, board_id: string): Promise<void> {
  const refused: unknown[] = []
  const call = async (...[name, args]: Parameters<World['call']>) => {
    const { status, body } = await world.call(name, args)
    if (status >= 400 && !expectedErrors.has(body.detail?.error)) refused.push([name, args, body])
  }
  for (const { id, decisions } of await world.ok('list_specs', { board_id, limit: 100 })) {
    const added = { id: 'later', title: 'Later', rationale: 'Because' }
    await call('update_spec', { spec_id: id, decisions: [...(decisions ?? []), added] })
    for (const design of await world.ok('list_spec_architecture', { spec_id: id }))
      await call('update_architecture', { design_id: design.id, global_description: 'Later' })
  }
  for (const { id, test_scenario_ids } of await world.ok('list_cards', { board_id, limit: 200 }))
    await call('update_card', { card_id: id, title: 'Later', test_scenario_ids })
  expect(refused).toEqual([])
}

test('a card that was deleted and comes again with its own archive has an event (exchange 1.3)', async () => {
  const board_id = await varied(here)
  const file = await here.archive(board_id)
  const [card] = await here.ok('list_cards', { board_id, limit: 1 })
  await here.ok('delete_card', { card_id: card.id })
  expect((await here.ok('import_board', { file, board_id })).created).toMatchObject({ card: 1 })
  const { events } = await here.ok('list_board_events', { board_id, entity_id: card.id, order: 'desc', limit: 1 })
  expect(events).toMatchObject([{ action: 'imported', ref: card.ref, details: { kind: 'card', record_id: card.id } }])
})

test('a spec whose approval does not come along is told (exchange 1.3)', async () => {
  const { id: board_id } = await here.ok('create_board', { name: 'Approved', description: '' })
  const { id: spec_id } = await here.ok('create_spec', { board_id, title: 'Spec', status: 'approved' })
  await here.ok('submit_spec_validation', { spec_id, ...validation })
  const file = await here.archive(board_id)
  const { problems, board_id: copy } = await here.ok('import_board', { file, keep_ids: false })
  expect(problems).toMatchObject([{ kind: 'spec', id: spec_id, severity: 'note' }])
  const [{ id }] = await here.ok('list_specs', { board_id: copy })
  expect((await here.ok('get_spec', { spec_id: id })).current_validation_id).toBeNull()
})
