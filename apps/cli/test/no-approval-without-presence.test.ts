import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { validation } from './operations/specs.rows.ts'
import { freePort } from './support/free-port.ts'
import { McpWire } from './support/mcp.ts'
import { OauthClient } from './support/oauth-client.ts'
import { Person } from './support/person.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, type TestAnswer, World } from './support/world.ts'

let world: World
let owner: Person
let byKey: Person
let ofAgent: Person
let agents: readonly TestAgent[]
/** An agent of the owner that a client acts as. */
let connected: { readonly id: string; readonly token: string }
let mcp: McpWire

beforeAll(async () => {
  const port = await freePort()
  world = await World.start({ port, publicUrl: `http://127.0.0.1:${port}`, agentSignIn: 'on', wrongKeysPerMin: 0 })
  owner = await Person.owner(world)
  byKey = await Person.byKey(world, world.owner.key)
  agents = [await world.agent(), await world.agent({ kind: 'service' }), await world.agent({ kind: 'ci' })]
  ofAgent = await Person.byKey(world, agents[0]!.key)
  mcp = new McpWire(world)
  const client = new OauthClient(world.running.url)
  await client.register()
  const new_agent = { name: 'Connected', preset_id: 'Full Control' }
  const { access_token: token } = await client.connected(owner, { allow: true, new_agent })
  const [{ agent_id: id }] = await owner.ok('list_connections')
  connected = { id, token }
})

afterAll(() => world.stop())

const gates = ['approval_spec', 'approval_spec_validation', 'approval_card_validation', 'approval_done'] as const
const specStatuses = ['draft', 'review', 'approved', 'validated', 'in_progress', 'done'] as const
const cardStatuses = ['not_started', 'started', 'in_progress', 'validation', 'done'] as const

const report = {
  conclusion: 'Done.',
  completeness: 100,
  completeness_justification: 'All.',
  drift: 0,
  drift_justification: 'None.',
}

/** A board, and the calls that somebody without presence makes on it. */
interface Board {
  readonly id: string
  readonly specs: string[]
  readonly cards: string[]
}

type Answer = Pick<TestAnswer, 'status' | 'body'>
type Call = (name: Parameters<World['call']>[0], args: Readonly<Record<string, unknown>>) => Promise<Answer>
type Step = (board: Board, call: Call) => Promise<unknown>

const at = (ids: readonly string[], place: number): string => ids[place % Math.max(1, ids.length)] ?? 'nothing'

async function kept(ids: string[], making: Promise<Answer>): Promise<void> {
  const { status, body } = await making
  if (status === 201) ids.push(body.id)
}

const place = fc.nat({ max: 9 })

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constantFrom(...specStatuses).map(
    (status): Step =>
      (board, call) =>
        kept(board.specs, call('create_spec', { board_id: board.id, title: 'Spec', status })),
  ),
  fc.tuple(place, fc.constantFrom(...specStatuses)).map(
    ([spec, status]): Step =>
      (board, call) =>
        call('move_spec', { spec_id: at(board.specs, spec), status }),
  ),
  place.map(
    (spec): Step =>
      (board, call) =>
        call('submit_spec_validation', { spec_id: at(board.specs, spec), ...validation }),
  ),
  fc.tuple(place, fc.constantFrom(...cardStatuses), fc.boolean(), fc.boolean()).map(
    ([spec, status, imported, isSmall]): Step =>
      (board, call) =>
        kept(
          board.cards,
          call('create_card', {
            board_id: board.id,
            title: 'Card',
            status,
            ...(!isSmall && { spec_id: at(board.specs, spec) }),
            ...(imported ? { imported } : report),
          }),
        ),
  ),
  fc.tuple(place, fc.constantFrom(...cardStatuses)).map(
    ([card, target_status]): Step =>
      (board, call) =>
        call('move_card', { card_id: at(board.cards, card), target_status, ...report, check: 'read it' }),
  ),
  fc.tuple(place, fc.constantFrom(...cardStatuses)).map(
    ([card, status]): Step =>
      (board, call) =>
        call('update_card', { card_id: at(board.cards, card), status }),
  ),
  fc.tuple(place, fc.boolean()).map(
    ([card, auto_move]): Step =>
      (board, call) =>
        call('submit_task_validation', {
          card_id: at(board.cards, card),
          outcome: 'success',
          summary: 'Seen.',
          auto_move,
        }),
  ),
  fc.tuple(fc.constantFrom(...gates), fc.constantFrom('anyone', 'separate', 'person')).map(
    ([gate, value]): Step =>
      (board, call) =>
        call('update_board', { board_id: board.id, settings: { [gate]: value } }),
  ),
)

/** A call by the client that the owner connected. */
const overMcp: Call = async (name, args) => {
  const headers = { authorization: `Bearer ${connected.token}` }
  const { isError, value } = await mcp.tool(name, args, { as: null, headers })
  return { status: isError ? 409 : 201, body: value }
}

/** The states on a board that only a present person could have approved. */
async function approvedWithoutPerson({ id, specs, cards }: Board, personal: readonly string[]): Promise<string[]> {
  const found: string[] = []
  const { settings } = await world.ok('get_board', { board_id: id })
  for (const gate of personal) if (settings[gate] !== 'person') found.push(`${gate} is ${settings[gate]}`)
  const reached = (status: string, from: string) =>
    specStatuses.indexOf(status as 'draft') >= specStatuses.indexOf(from as 'draft')
  for (const spec_id of specs) {
    const { status } = await world.ok('get_spec', { spec_id })
    for (const [gate, from] of [
      ['approval_spec', 'approved'],
      ['approval_spec_validation', 'validated'],
      ['approval_done', 'done'],
    ] as const)
      if (personal.includes(gate) && reached(status, from)) found.push(`a spec is ${status} past ${gate}`)
  }
  for (const card_id of cards) {
    const { status } = await world.ok('get_card', { card_id })
    if (personal.includes('approval_done') && status === 'done') found.push('a card is done')
    const { validations } = await world.ok('list_task_validations', { card_id })
    const hasPassed = validations.some(({ outcome }: { outcome: string }) => outcome === 'success')
    if (personal.includes('approval_card_validation') && hasPassed) found.push('a validation passed')
  }
  return found
}

test('no sequence of calls without presence passes a gate at person', async () => {
  const calls: readonly Call[] = [
    ...agents.map(
      (as): Call =>
        (name, args) =>
          world.call(name, args, { as }),
    ),
    (name, args) => world.call(name, args),
    (name, args) => byKey.call(name, args),
    (name, args) => ofAgent.call(name, args),
    overMcp,
  ]
  /**
   * The number of boards on which a gate that does not require a person approved something: without any, the sequences
   * would prove nothing.
   */
  let approving = 0
  await fc.assert(
    fc.asyncProperty(
      fc.subarray([...gates], { minLength: 1 }),
      fc.array(fc.tuple(step, fc.nat({ max: calls.length - 1 })), { minLength: 4, maxLength: 16 }),
      async (personal, steps) => {
        const scene = await Scene.on(world)
        for (const { id } of [...agents, connected]) await scene.admit({ id })
        const settings = Object.fromEntries(personal.map(gate => [gate, 'person']))
        await owner.ok('update_board', { board_id: scene.boardId, settings })
        const board: Board = { id: scene.boardId, specs: [], cards: [] }
        for (const [act, who] of steps) await act(board, calls[who]!)
        expect(await approvedWithoutPerson(board, personal)).toEqual([])
        if ((await approvedWithoutPerson(board, gates)).some(found => !/ is (?:anyone|separate)$/.test(found)))
          approving++
      },
    ),
    { numRuns: 40 },
  )
  expect(approving).toBeGreaterThan(0)
})
