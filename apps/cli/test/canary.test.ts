import { type AnyOperation, isReading, type OperationName, registry } from '@specboard/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from './operations/rows.ts'
import { validation } from './operations/specs.rows.ts'
import { initializeParams, McpWire, toolArguments } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { graphAtWork, type TestAgent, World } from './support/world.ts'

/** A word that every text of a foreign board contains, and no other text. */
const canary = 'zyzzyvacanary'
const text = `The ${canary} sings of sessions in redis.`

const reads = registry.filter(operation => isReading(operation) && operation.permission !== 'public')
const named = (operations: readonly AnyOperation[]) => operations.map(operation => [operation.name, operation] as const)

let world: World
/** Sees only its own board, `home`. */
let visitor: TestAgent
/** Sees both boards. */
let guest: TestAgent
let home: Scene
let foreign: Scene
let mcp: McpWire

beforeAll(async () => {
  world = await World.start(graphAtWork)
  visitor = await world.agent({ name: 'Visitor' })
  mcp = new McpWire(world)
  home = await Scene.on(world.as(visitor))
  foreign = await Scene.on(world)
  guest = await world.agent({ name: 'Guest' })
  for (const scene of [home, foreign]) await scene.admit(guest)
  await fill(foreign)
}, 60_000)

afterAll(() => world.stop())

/** No spec of the board needs cards that cover its parts. */
const withoutCoverage = Object.fromEntries(
  ['test', 'rules', 'trs', 'contract', 'decisions'].map(part => [`skip_${part}_coverage_global`, true]),
)

/** Writes the canary into every text of every kind of record. */
async function fill(scene: Scene): Promise<void> {
  const { boardId: board_id } = scene
  await world.ok('update_board', { board_id, name: canary, description: text, settings: withoutCoverage })
  const screen_mockups = [
    { id: canary, title: text, description: text, html_content: text, annotations: [{ id: canary, text }] },
  ]
  const planned = { title: text, description: text, labels: [canary], assignee_id: canary, screen_mockups }
  const design = {
    title: text,
    global_description: text,
    entities: [{ id: canary, name: text, responsibility: text, notes: text, technologies: [canary] }],
    interfaces: [
      {
        name: text,
        description: text,
        endpoint: canary,
        protocol: canary,
        notes: text,
        request_schema: { [canary]: text },
      },
    ],
    diagrams: [{ id: canary, title: text, description: text, adapter_payload: { elements: [], [canary]: text } }],
  }
  const knowledge = { title: text, description: text, content: text }

  const ideation_id = await scene.ideation('draft', {
    ...planned,
    problem_statement: text,
    proposed_approach: text,
    scope_assessment: { [canary]: text },
  })
  const question = await world.ok('ask_ideation_question', { ideation_id, question: text })
  await world.ok('answer_ideation_question', { ideation_id, qa_id: question.id, answer: text })
  await world.ok('create_ideation_architecture', { ideation_id, ...design })

  const refinement_id = await scene.refinement('draft', {
    ...planned,
    in_scope: [text],
    out_of_scope: [text],
    analysis: text,
    decisions: [text],
  })
  await world.ok('create_refinement_knowledge', { refinement_id, ...knowledge })
  await world.ok('create_refinement_architecture', { refinement_id, ...design })

  const spec_id = await scene.spec('approved', {
    ...planned,
    context: text,
    functional_requirements: [text],
    technical_requirements: [{ id: 't1', text }],
    acceptance_criteria: [text],
    test_scenarios: [{ id: 's1', title: text, given: text, when: text, then: text, notes: text }],
    business_rules: [{ id: 'r1', title: text, rule: text, when: text, then: text, notes: text }],
    api_contracts: [
      { id: 'c1', method: 'get', path: `/${canary}`, description: text, request_body: { [canary]: text } },
    ],
    decisions: [{ id: 'd1', title: text, rationale: text, context: text, alternatives_considered: [text] }],
  })
  await world.ok('create_spec_knowledge', { spec_id, ...knowledge })
  await world.ok('create_spec_architecture', { spec_id, ...design })
  await world.ok('submit_spec_validation', { spec_id, ...validation, general_justification: text })
  await world.ok('ask_spec_question', { spec_id, question: text })

  const open = await scene.spec('in_progress', { ...planned, test_scenarios: [{ id: 's1', title: text }] })
  const card_id = await scene.card({
    ...planned,
    spec_id: open,
    details: text,
    action_plan: text,
    status: 'in_progress',
  })
  await world.ok('move_card', {
    card_id,
    target_status: 'validation',
    conclusion: text,
    completeness: 100,
    completeness_justification: text,
    drift: 0,
    drift_justification: text,
  })
  await world.ok('submit_task_validation', { card_id, outcome: 'success', summary: text })
  const options = { comment_type: 'choice', choices: [{ id: canary, label: text }] }
  const { id: comment_id } = await world.ok('create_comment', { card_id, content: text, ...options })
  await world.ok('respond_to_comment', { comment_id, selected: [canary] })
  await world.ok('create_card_knowledge', { card_id, ...knowledge })
  await world.ok('create_card_architecture', { card_id, ...design })
  await scene.cardQuestion(card_id)
  await scene.attachment(card_id, new File([text], `${canary}.txt`, { type: 'text/plain' }))
  await scene.card({ ...planned, spec_id: open, status: 'on_hold' })
  await scene.bug({ ...planned, origin_task_id: card_id, observed_behavior: text, steps_to_reproduce: text })
  await scene.sprint('closed', {
    title: text,
    description: text,
    objective: text,
    expected_outcome: text,
    labels: [canary],
  })

  await world.ok('add_board_guideline', { board_id, title: text, content: text, tags: [canary] })
  await world.ok('create_guideline', { title: text, content: text, tags: [canary] })
  await world.ok('create_preset', { name: canary, description: text })
  await world.agent({ name: canary, objective: text })
  await world.ok('execute_discovery_intent', { board_id, intent_id: 'recent_activity', save_as: canary })
  await scene.consolidated()
}

/** Search terms that find the texts with the canary, in words that an answer may repeat. */
const sought = { q: 'sings of sessions', topic: 'sings of sessions', search: 'sings of', tag: canary }

/**
 * The variations of a row's arguments: unchanged, without filters, with each search term, and with the foreign board's
 * id.
 */
async function variations(operation: AnyOperation): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const args = await rows[operation.name as OperationName].args(home, visitor)
  const needed = Object.fromEntries(Object.entries(args).filter(([name]) => name in operation.params))
  const archived = 'include_archived' in operation.query ? [{ ...needed, include_archived: true }] : []
  return [
    args,
    needed,
    ...archived,
    ...Object.entries(sought).flatMap(([name, value]) => (name in operation.query ? [{ ...args, [name]: value }] : [])),
    ...('board_id' in args || 'board_id' in operation.query ? [{ ...args, board_id: foreign.boardId }] : []),
  ]
}

const silent = (answer: unknown) => expect(JSON.stringify(answer)).not.toContain(canary)

test('whoever may read the foreign board is answered the canary', async () => {
  const found = await world.call('list_specs', { board_id: foreign.boardId })
  expect(JSON.stringify(found.body)).toContain(canary)
  const overall = await world.call('search_kg_global', { q: canary })
  expect(JSON.stringify(overall.body)).toContain(canary)
})

describe('no read answers the canary to who does not see its board', () => {
  test.each(named(reads))('%s', async (name, operation) => {
    for (const args of await variations(operation)) {
      silent((await world.call(name as OperationName, args, { as: visitor })).body)
      const tool = toolArguments(operation, args)
      silent(await mcp.tool(name, tool, { as: visitor }))
      silent(await mcp.tool(name, tool, { as: visitor, query: `board_id=${home.boardId}` }))
    }
  })
})

test('no foreign record is a resource, a completion or in a prompt', async () => {
  const ask = async (method: string, params?: object) => {
    const { body } = await mcp.legacy(method, params, { as: visitor })
    silent(body)
    return body
  }
  await ask('initialize', initializeParams())
  const templates: { uriTemplate: string }[] = (await ask('resources/templates/list')).result.resourceTemplates
  const prompts: { name: string; arguments?: { name: string }[] }[] = (await ask('prompts/list')).result.prompts
  const resources: { uri: string }[] = (await ask('resources/list')).result.resources
  for (const { uri } of resources) await ask('resources/read', { uri })
  await ask('tools/list')
  const arguments_ = [
    ...templates.flatMap(({ uriTemplate: uri }) =>
      [...uri.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ ref: { type: 'ref/resource', uri }, name })),
    ),
    ...prompts.flatMap(({ name: prompt, arguments: given = [] }) =>
      given.map(({ name }) => ({ ref: { type: 'ref/prompt', name: prompt }, name })),
    ),
  ]
  for (const { ref, name } of arguments_)
    for (const value of ['', canary.slice(0, 4), foreign.boardId]) {
      const context = { arguments: { board_id: foreign.boardId } }
      const answer = await ask('completion/complete', { ref, argument: { name, value }, context })
      expect(answer.result.completion.values).not.toContain(foreign.boardId)
    }
  const at: Readonly<Record<string, string>> = await foreignIds()
  for (const { uriTemplate } of templates)
    await ask('resources/read', { uri: uriTemplate.replaceAll(/\{(\w+)\}/g, (_, name) => at[name] ?? 'x') })
  for (const { name, arguments: parameters = [] } of prompts)
    await ask('prompts/get', {
      name,
      arguments: Object.fromEntries(parameters.map(({ name }) => [name, at[name] ?? 'x'])),
    })
})

describe('a view that is bound to one board answers nothing of another that its agent sees', () => {
  test.each(named(reads.filter(({ params }) => Object.keys(params).length === 0)))('%s', async (name, operation) => {
    for (const args of await variations(operation)) {
      const answer = await mcp.tool(name, toolArguments(operation, args), {
        as: guest,
        query: `board_id=${home.boardId}`,
      })
      silent(answer)
    }
  })
})

/** The ids of foreign records, by the variable that takes them. */
async function foreignIds(): Promise<Readonly<Record<string, string>>> {
  const first = async (name: OperationName) => (await world.ok(name, { board_id: foreign.boardId }))[0].id as string
  return {
    ideation_id: await first('list_ideations'),
    refinement_id: await foreign.refinement('draft', { title: text }),
    spec_id: await first('list_specs'),
    sprint_id: await first('list_board_sprints'),
    ...(await foreign.attachment(undefined, new File([text], `${canary}.txt`, { type: 'text/plain' }))),
  }
}
