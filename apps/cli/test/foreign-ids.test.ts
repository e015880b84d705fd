import { type AnyOperation, type OperationName, registry } from '@specboard/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from './operations/rows.ts'
import { rowsOf, tablesOf } from './support/event-log.ts'
import { fieldOf, type IdPlace, idPlaces, withIdAt } from './support/id-places.ts'
import { McpWire, toolArguments } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { graphAtWork, type TestAgent, World } from './support/world.ts'

/** Fields that hold a text of the caller's own: it is stored as it is, and no record is looked up by it. */
const ownTexts: ReadonlySet<string> = new Set([
  'assignee_id',
  'author_id',
  'member_id',
  'origin_id',
  'patch_id',
  'reviewer_id',
  'run_id',
  'source_design_id',
  'source_diagram_id',
  'test_run_id',
])

/** Operations that ignore an id that names nothing, by place: filters of lists, and ids of what is to be removed. */
const passedOver: ReadonlySet<string> = new Set([
  'list_audit actor_id',
  'list_audit target_id',
  'list_changes repository_id',
  'list_test_reports repository_id',
  'list_test_reports card_id',
  'list_test_reports spec_id',
  'list_board_sprints spec_id',
  'list_cards spec_id',
  'list_cards sprint_id',
  'search_records parent_id',
  'get_flow_analytics spec_id',
  'get_flow_analytics sprint_id',
  'get_cycle_time_analytics spec_id',
  'get_cycle_time_analytics sprint_id',
  'list_overlaps agent_id',
  'list_overlaps card_id',
  'list_ready_cards spec_id',
  'list_ready_cards sprint_id',
  'claim_next_card spec_id',
  'claim_next_card sprint_id',
  'list_board_events entity_id',
  'list_board_events actor_id',
  'stream_board_events entity_id',
  'stream_board_events actor_id',
  'unassign_sprint_tasks card_ids.[]',
])

/** A board is shared with an agent that need not be visible, so that agents who do not know each other can meet. */
const anyAgent = 'create_board_share user_id'

const nothing = '01900000-0000-7000-8000-00000000dead'
/**
 * An operation that only a present person may call refuses a key before it reads an id; one that needs no key refuses
 * if nothing that was sent fits the board.
 */
function refusal({ caller, permission }: AnyOperation): number {
  if (caller !== undefined) return expect.toBeOneOf([409])
  return expect.toBeOneOf(permission === 'public' ? [401] : [400, 404])
}

let world: World
let home: Scene
let visitor: TestAgent
let mcp: McpWire
/** The id of a foreign record of the kind that a field takes. */
let foreign: Readonly<Record<string, string>>

beforeAll(async () => {
  world = await World.start(graphAtWork)
  visitor = await world.agent()
  mcp = new McpWire(world.as(visitor))
  home = await Scene.on(world.as(visitor))
  foreign = await foreignRecords(await Scene.on(world))
})

afterAll(() => world.stop())

async function foreignRecords(scene: Scene): Promise<Readonly<Record<string, string>>> {
  const { world, boardId: board_id } = scene
  const other = await world.agent()
  await scene.preset(other)
  const business_rules = [{ id: 'foreign-rule', title: 'Foreign', rule: 'must', when: 'always', then: 'yes' }]
  const { spec_id, node } = await scene.specInGraph({
    status: 'in_progress',
    test_scenarios: [{ id: 'foreign-scenario', title: 'Foreign' }],
    business_rules,
    screen_mockups: [{ id: 'foreign-mockup', title: 'Foreign' }],
  })
  const card = await scene.card({ spec_id })
  const testCard = await scene.card({ spec_id, card_type: 'test', test_scenario_ids: ['foreign-scenario'] })
  const ideation_id = await scene.ideation('done')
  const design = {
    ideation_id,
    title: 'Foreign',
    global_description: 'Foreign',
    diagrams: [{ id: 'foreign-diagram', title: 'Foreign' }],
  }
  const design_id = (await world.ok('create_ideation_architecture', design)).id
  const sprint = await scene.sprint()
  return {
    actor_id: other.id,
    agent_id: other.id,
    architecture_design_ids: design_id,
    board_id,
    board_ids: board_id,
    business_rule_ids: 'foreign-rule',
    card_id: card,
    card_ids: card,
    // Refused before it is looked up: only a person has channels.
    channel_id: 'foreign-channel',
    center: `spec:${spec_id}`,
    design_ids: design_id,
    entity_id: spec_id,
    guideline_id: (await world.ok('create_guideline', { title: 'Foreign', content: 'Foreign' })).id,
    ideation_id,
    kb_ids: (await scene.knowledge('refinement')).knowledge_id!,
    linked_task_ids: card,
    linked_test_task_ids: testCard,
    mockup_ids: 'foreign-mockup',
    node_id: await node('decision:d1'),
    origin_task_id: card,
    parent_id: spec_id,
    preset_id: await scene.preset(),
    proof_run_id: (await world.ok('begin_proof_run', { board_id, for: [spec_id], command: 'x' })).id,
    refinement_id: await scene.refinement('done'),
    repository_id: (await world.ok('create_repository', { board_id, url: 'https://github.com/acme/foreign' })).id,
    replace_diagram_id: 'foreign-diagram',
    source_design_id: design_id,
    spec_id,
    sprint_id: sprint.sprint_id,
    supersedes_decision_id: 'd1',
    target_id: spec_id,
    test_scenario_ids: 'foreign-scenario',
    test_task_id: testCard,
  }
}

/**
 * Everything stored, except what the service writes independently of calls (graph, search, leases of nodes), and the
 * times of calls.
 */
function stored(): Readonly<Record<string, unknown>> {
  const followed = tablesOf(world).filter(({ name }) => !/^(?:kg_|search_|nodes$|leases$|worker_signs$)/.test(name))
  const rows = rowsOf(
    world,
    followed.map(({ name }) => name),
  )
  return Object.fromEntries([...rows].map(([name, found]) => [name, withoutUse(found)]))
}

/** A row that is written again may be at another position. */
const withoutUse = (rows: readonly Record<string, unknown>[]) =>
  rows.map(({ last_used_at: _, ...row }) => JSON.stringify(row)).toSorted()

const cases = registry.flatMap(operation =>
  idPlaces(operation)
    .filter(place => !ownTexts.has(fieldOf(place)))
    .map(place => [`${operation.name} ${place.join('.')}`, operation, place] as const)
    .filter(([name]) => name !== anyAgent),
)

describe('an id of a record out of sight is refused like one that names nothing, and changes nothing', () => {
  test.each(cases)('%s', async (name, operation, place) => {
    const id = foreign[fieldOf(place)]!
    expect(id).toBeDefined()
    const args = await rows[operation.name as OperationName].args(home, visitor)
    const before = stored()
    const answers = await answersOf(operation, args, place, id)
    expect(answers.map(({ status }) => status)).toEqual(
      passedOver.has(name) ? [200, 200] : [refusal(operation), refusal(operation)],
    )
    expect(stored()).toEqual(before)
    const toNothing = await answersOf(operation, args, place, nothing)
    expect(JSON.parse(JSON.stringify(answers).replaceAll(id, nothing))).toEqual(toNothing)
  })
})

/** The answers of both doors to an id at a place. */
async function answersOf(
  operation: AnyOperation,
  args: Readonly<Record<string, unknown>>,
  place: IdPlace,
  id: string,
): Promise<readonly { readonly status: number; readonly body: unknown }[]> {
  const input = withIdAt(operation, args, place, id)
  const http = await world.call(operation.name as OperationName, input, { as: visitor })
  const tool = await mcp.tool(operation.name, toolArguments(operation, input))
  return [
    { status: http.status, body: http.body },
    { status: tool.isError ? tool.value.status : 200, body: tool.value },
  ]
}
