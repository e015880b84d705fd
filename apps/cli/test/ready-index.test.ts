import { CardPriority, CardStatus, type OperationName, SpecStatus, SprintStatus } from '@specboard/contract'
import { writeWithoutLock } from '@specboard/domain'
import { onPostgres } from '@specboard/storage/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { StoredBoard, type StoredCard } from './support/judged-ready.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let agents: readonly TestAgent[]

beforeAll(async () => {
  world = await World.start()
  agents = [world.owner, await world.agent({ name: 'Ada' }), await world.agent({ name: 'Ben' })]
})

afterAll(() => world.stop())

/** A board that random calls change, with the ids of what they created, some of which no longer exist. */
interface Drawn {
  readonly scene: Scene
  readonly specs: string[]
  readonly sprints: string[]
  readonly cards: string[]
}

const one = (ids: readonly string[], at: number): string => ids[at % ids.length] ?? 'none'
const call = async (name: OperationName, args: object, by = 0) => {
  const { status, body } = await world.call(name, { ...args }, { as: agents[by]! })
  expect(status).toBeLessThan(500)
  return body
}

const number = fc.nat(11)
const caller = fc.nat(2)
const cardFields = {
  priority: fc.constantFrom(...CardPriority.options),
  due_date: fc.constantFrom(null, '2026-05-01', '2026-06-01'),
  labels: fc.constantFrom(null, ['a'], ['a', 'b']),
  assignee_id: fc.constantFrom(null, 'Ada', 'Ben'),
}
const position = fc.option(fc.nat(4), { nil: undefined })
const open = fc.constantFrom('not_started', 'not_started', 'started')
const kinds = fc.constantFrom('spec', 'sprint', 'card')

/** What may happen to a board, each with what is drawn for it. A refused call changes nothing, and is fine. */
const steps = {
  create_card: step({ spec: number, status: open, ...cardFields }, async (board, { spec, ...fields }) => {
    const args = { board_id: board.scene.boardId, title: 'Card', spec_id: one(board.specs, spec), ...fields }
    const { id } = await call('create_card', args)
    if (typeof id === 'string') board.cards.push(id)
  }),
  move_card: step(
    { card: number, target_status: fc.constantFrom(...CardStatus.options), position },
    (board, { card, ...drawn }) => call('move_card', { card_id: one(board.cards, card), ...drawn }),
  ),
  place_card: step({ card: number, position: fc.nat(4) }, (board, { card, ...drawn }) =>
    call('move_card', { card_id: one(board.cards, card), target_status: 'not_started', ...drawn }),
  ),
  put_card: step({ card: number, position: fc.nat(4) }, (board, { card, ...drawn }) =>
    call('update_card', { card_id: one(board.cards, card), ...drawn }),
  ),
  update_card: step({ card: number, fields: fc.record(cardFields, { requiredKeys: [] }) }, (board, { card, fields }) =>
    call('update_card', { card_id: one(board.cards, card), ...fields }),
  ),
  give_spec: step({ card: number, spec: fc.option(number) }, (board, { card, spec }) =>
    call('update_card', { card_id: one(board.cards, card), spec_id: spec === null ? null : one(board.specs, spec) }),
  ),
  give_sprint: step({ card: number, sprint: fc.option(number) }, (board, { card, sprint }) => {
    const sprint_id = sprint === null ? null : one(board.sprints, sprint)
    return call('update_card', { card_id: one(board.cards, card), sprint_id })
  }),
  link_card_to_spec: step({ card: number, spec: number }, (board, { card, spec }) =>
    call('link_card_to_spec', { spec_id: one(board.specs, spec), card_id: one(board.cards, card) }),
  ),
  unlink_card_from_spec: step({ card: number, spec: number }, (board, { card, spec }) =>
    call('unlink_card_from_spec', { spec_id: one(board.specs, spec), card_id: one(board.cards, card) }),
  ),
  delete_card: step({ card: number }, (board, { card }) => call('delete_card', { card_id: one(board.cards, card) })),
  add_card_dependency: step({ card: number, awaited: number }, (board, { card, awaited }) =>
    call('add_card_dependency', { card_id: one(board.cards, card), depends_on_id: one(board.cards, awaited) }),
  ),
  remove_card_dependency: step({ card: number, awaited: number }, (board, { card, awaited }) =>
    call('remove_card_dependency', { card_id: one(board.cards, card), depends_on_id: one(board.cards, awaited) }),
  ),
  create_spec: step({ status: fc.constantFrom('approved', 'in_progress') }, async (board, { status }) => {
    board.specs.push(await board.scene.spec(status, { skip_test_coverage: true }))
  }),
  move_spec: step({ spec: number, status: fc.constantFrom(...SpecStatus.options) }, (board, { spec, status }) =>
    call('move_spec', { spec_id: one(board.specs, spec), status }),
  ),
  update_spec: step({ spec: number, title: fc.string({ minLength: 1 }) }, (board, { spec, title }) =>
    call('update_spec', { spec_id: one(board.specs, spec), title }),
  ),
  delete_spec: step({ spec: number }, (board, { spec }) => call('delete_spec', { spec_id: one(board.specs, spec) })),
  create_sprint: step({ spec: number, cards: fc.option(number) }, async (board, { spec, cards }) => {
    const card_ids = cards === null ? [] : [one(board.cards, cards)]
    const args = { board_id: board.scene.boardId, spec_id: one(board.specs, spec), title: 'Sprint', card_ids }
    const { id } = await call('create_sprint', args)
    if (typeof id === 'string') board.sprints.push(id)
  }),
  move_sprint: step({ sprint: number, status: fc.constantFrom(...SprintStatus.options) }, (board, { sprint, status }) =>
    call('move_sprint', { sprint_id: one(board.sprints, sprint), status }),
  ),
  assign_sprint_tasks: step({ sprint: number, card: number }, (board, { sprint, card }) =>
    call('assign_sprint_tasks', { sprint_id: one(board.sprints, sprint), card_ids: [one(board.cards, card)] }),
  ),
  unassign_sprint_tasks: step({ sprint: number, card: number }, (board, { sprint, card }) =>
    call('unassign_sprint_tasks', { sprint_id: one(board.sprints, sprint), card_ids: [one(board.cards, card)] }),
  ),
  delete_sprint: step({ sprint: number }, (board, { sprint }) =>
    call('delete_sprint', { sprint_id: one(board.sprints, sprint) }),
  ),
  archive_record: step({ kind: kinds, at: number }, (board, values) => call('archive_record', rootOf(board, values))),
  restore_record: step({ kind: kinds, at: number }, (board, values) => call('restore_record', rootOf(board, values))),
  claim_card: step({ card: number, by: caller }, (board, { card, by }) =>
    call('claim_card', { card_id: one(board.cards, card) }, by),
  ),
  release_claim: step({ card: number, by: caller }, (board, { card, by }) =>
    call('release_claim', { card_id: one(board.cards, card) }, by),
  ),
  claim_next_card: step({ by: caller, start: fc.boolean() }, (board, { by, start }) =>
    call('claim_next_card', { board_id: board.scene.boardId, start }, by),
  ),
  time_passes: step({ card: number }, board =>
    writeWithoutLock(world, db =>
      db
        .updateTable('claims')
        .set({ expires_at: '2026-01-01T00:00:00.000Z' })
        .where('board_id', '=', board.scene.boardId)
        .execute(),
    ),
  ),
}

const rootOf = (board: Drawn, { kind, at }: { readonly kind: string; readonly at: number }) => ({
  board_id: board.scene.boardId,
  entity_type: kind,
  entity_id: one({ spec: board.specs, sprint: board.sprints, card: board.cards }[kind]!, at),
})

/** Something that may happen: what is drawn for it, as a function of the board. */
function step<Values extends object>(
  arbitraries: { [Name in keyof Values]: fc.Arbitrary<Values[Name]> },
  happens: (board: Drawn, values: Values) => Promise<unknown>,
): fc.Arbitrary<{ readonly values: Values; readonly happens: (board: Drawn) => Promise<unknown> }> {
  return fc
    .record(arbitraries)
    .map(values => ({ values: values as Values, happens: board => happens(board, values as Values) }))
}

const names = Object.keys(steps) as (keyof typeof steps)[]
/** Steps that make boards grow are chosen more often. */
const often = (
  ['create_card', 'create_card', 'create_card', 'add_card_dependency', 'add_card_dependency'] as const
).map(name => [name, steps[name]] as const)
const happening = fc.oneof(
  ...[...often, ...names.map(name => [name, steps[name]] as const)].map(([name, arbitrary]) =>
    (arbitrary as fc.Arbitrary<{ values: object; happens: (board: Drawn) => Promise<unknown> }>).map(choice => ({
      name,
      ...choice,
    })),
  ),
)

/** An agent that asks: its id and name, and the cards that it holds. */
interface Asking {
  readonly names: readonly string[]
  readonly heldIds: ReadonlySet<string>
}

/** A filter of a list, with what it selects for whoever asks. */
interface Filter {
  readonly fields: object
  readonly selects: (card: StoredCard, me: Asking) => boolean
}

const filters: readonly Filter[] = [
  { fields: {}, selects: () => true },
  { fields: { label: 'a' }, selects: card => card.labels?.includes('"a"') === true },
  {
    fields: { assignee_id: 'me' },
    selects: ({ id, assignee_id }, { names, heldIds }) =>
      heldIds.has(id) || (assignee_id !== null && names.includes(assignee_id)),
  },
  { fields: { assignee_id: 'none' }, selects: card => card.assignee_id === null },
]

/** Compares the answers to each agent with the stored rows. */
async function expectJudged({ scene }: Drawn): Promise<void> {
  const stored = new StoredBoard(world, scene.boardId)
  const board_id = scene.boardId
  for (const [at, agent] of agents.entries()) {
    const me = { names: [agent.id, ['', 'Ada', 'Ben'][at]!], heldIds: stored.heldBy(agent.id) }
    for (const { fields, selects } of filters) {
      const judged = stored.offered(agent.id, card => selects(card, me))
      const page = { board_id, ...fields, limit: 3, offset: at }
      const { body, headers } = await world.call('list_ready_cards', page, { as: agent })
      const listed = body.map(({ id, unblocks }: { id: string; unblocks: number }) => ({ id, unblocks }))
      expect([listed, headers.get('x-total-count')]).toEqual([judged.slice(at, at + 3), String(judged.length)])
    }
    const all = await world.ok('list_ready_cards', { board_id }, { as: agent })
    expect(all.map(({ id }: { id: string }) => id)).toEqual(stored.offered(agent.id, () => true).map(({ id }) => id))
  }
}

/**
 * The number of generated boards, different ones in each run. On PostgreSQL each look at the stored rows starts a
 * process.
 */
const numRuns = process.env.SPECBOARD_TESTS === 'quick' || onPostgres ? 6 : 25

test('list_ready_cards answers after every write what the stored rows say (work 2)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 40, size: 'max' }), async happened => {
      const scene = await Scene.on(world)
      for (const agent of agents.slice(1)) await scene.admit(agent)
      const board: Drawn = { scene, specs: [], sprints: [], cards: [] }
      for (let number = 0; number < 2; number++)
        board.specs.push(await scene.spec('in_progress', { skip_test_coverage: true }))
      for (let number = 0; number < 4; number++)
        board.cards.push(await scene.card({ spec_id: board.specs[number % 2]! }))
      await expectJudged(board)
      for (const { happens } of happened) {
        await happens(board)
        await expectJudged(board)
      }
    }),
    { numRuns },
  )
}, 300_000)
