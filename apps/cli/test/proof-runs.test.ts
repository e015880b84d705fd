import { afterAll, beforeAll, expect, test } from 'vitest'
import { McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const tap = (text: string) => [{ name: 'unit.tap', text }]

/** A board with a spec of two scenarios. */
async function board(status: Parameters<Scene['spec']>[0] = 'in_progress') {
  const scene = await Scene.on(world)
  const spec_id = await scene.specWithScenarios(2, status)
  const { ref } = await world.ok('get_spec', { spec_id })
  const begin = (fields: Readonly<Record<string, unknown>> = {}) =>
    world.ok('begin_proof_run', { board_id: scene.boardId, for: [`${ref}/s1`], command: 'pnpm test', ...fields })
  const statuses = async () => {
    const { test_scenarios } = await world.ok('get_spec', { spec_id })
    return test_scenarios.map((scenario: { status: string }) => scenario.status)
  }
  return { scene, board_id: scene.boardId, spec_id, ref, begin, statuses }
}

test('a run that passed sets the scenarios that it was begun for (evidence 5)', async () => {
  const { board_id, ref, spec_id, begin, statuses } = await board()
  const commit = 'a'.repeat(40)
  const run = await begin({ commit, branch: 'work' })
  expect(run).toMatchObject({
    board_id,
    for: [`${ref}/s1`],
    commit,
    dirty: false,
    status: 'running',
    tier: 'observed',
    tier_reason: 'run',
    report_ids: [],
    finished_at: null,
    mapping: null,
  })
  expect(Date.parse(run.expires_at) - Date.parse(run.started_at)).toBe(6 * 3_600_000)
  const ended = await world.ok('finish_proof_run', {
    run_id: run.id,
    exit_code: 0,
    output_tail: 'ok',
    duration_ms: 1,
  })
  expect(ended).toMatchObject({ status: 'passed', exit_code: 0, output_tail: 'ok', tier: 'observed' })
  expect(ended.mapping.scenarios).toMatchObject([
    { spec_id, scenario_id: 's1', from: 'draft', to: 'passed', result: 'passed' },
  ])
  expect(await statuses()).toEqual(['passed', 'draft'])
  const { events } = await world.ok('list_board_events', { board_id, limit: 200 })
  expect(events.at(-1)).toMatchObject({
    action: 'proof_run_finished',
    details: { run_id: run.id, status: 'passed', exit_code: 0, command: 'pnpm test' },
  })
  const again = await world.call('finish_proof_run', { run_id: run.id, exit_code: 0 })
  expect([again.status, again.body.detail]).toMatchObject([409, { error: 'INVALID_STATE', status: 'passed' }])
})

test('reports of a run are observed, and one that failed fails it', async () => {
  const { board_id, begin, statuses } = await board()
  const agent = await world.agent()
  await world.ok('grant_board_access', { agent_id: agent.id, board_id })
  const { id: proof_run_id } = await begin()
  const input = { board_id, proof_run_id, files: tap('1..1\nnot ok 1 - adds\n') }
  const report = await world.ok('submit_test_report', input)
  expect(report).toMatchObject({ proof_run_id, tier: 'observed', tier_reason: 'run' })
  const foreign = await world.call('submit_test_report', { ...input, name: 'x' }, { as: agent })
  expect([foreign.status, foreign.body.detail.field]).toEqual([400, 'proof_run_id'])
  const ended = await world.ok('finish_proof_run', { run_id: proof_run_id, exit_code: 0 })
  expect(ended).toMatchObject({ status: 'failed', report_ids: [report.id] })
  expect(await statuses()).toEqual(['failed', 'draft'])
  const late = await world.call('submit_test_report', { ...input, name: 'late' })
  expect([late.status, late.body.detail]).toMatchObject([409, { error: 'INVALID_STATE', status: 'failed' }])
})

test('a run whose reports have no test proves nothing', async () => {
  const { begin, statuses } = await board()
  const { id: run_id } = await begin()
  const ended = await world.ok('finish_proof_run', { run_id, exit_code: 0, reports_expected: true })
  expect(ended.status).toBe('empty')
  expect(ended.mapping.scenarios).toMatchObject([{ result: 'incomplete', to: 'draft' }])
  expect(await statuses()).toEqual(['draft', 'draft'])
})

test('over MCP a run is a word, and of a pipeline it is ci', async () => {
  const { board_id, ref } = await board()
  const { value } = await new McpWire(world).tool('begin_proof_run', { board_id, for: [ref], command: 'x' })
  expect(value).toMatchObject({ tier: 'claimed', tier_reason: 'mcp' })
  const ci = await world.agent({ kind: 'ci' })
  await world.ok('grant_board_access', { agent_id: ci.id, board_id })
  const run = await world.ok('begin_proof_run', { board_id, for: [ref], command: 'x' }, { as: ci })
  expect(run).toMatchObject({ tier: 'ci', tier_reason: 'ci_key' })
})

test('only who began a run finds it, and who may not submit begins and finishes none', async () => {
  const { board_id, begin, ref } = await board()
  const { id: run_id } = await begin()
  const other = await world.agent()
  const limited = await world.agent({ permission_flags: { REPORTS_SUBMIT: false } })
  for (const { id: agent_id } of [other, limited]) await world.ok('grant_board_access', { agent_id, board_id })
  const finish = async (as: typeof other) =>
    (await world.call('finish_proof_run', { run_id, exit_code: 0 }, { as })).status
  expect([await finish(other), await finish(limited)]).toEqual([404, 403])
  expect((await world.call('begin_proof_run', { board_id, for: [ref], command: 'x' }, { as: limited })).status).toBe(
    403,
  )
})

test('a duration that the service did not see, and targets that are not there, are 400', async () => {
  const { board_id, begin, ref } = await board()
  const { id: run_id } = await begin()
  const long = await world.call('finish_proof_run', { run_id, exit_code: 0, duration_ms: 3_600_000 })
  expect([long.status, long.body.detail.field]).toEqual([400, 'duration_ms'])
  for (const name of [`${ref}/s9`, 'XX-1', 'XX-1/s1', `${ref}0`]) {
    const { status } = await world.call('begin_proof_run', { board_id, for: [name], command: 'x' })
    expect([name, status]).toEqual([name, 400])
  }
  for (const fields of [{ for: [] }, { command: '' }, { commit: 'x' }]) {
    const { status } = await world.call('begin_proof_run', { board_id, for: [ref], command: 'x', ...fields })
    expect(status).toBe(422)
  }
})

test('the same report of a later run belongs to it (evidence 2, rule 1)', async () => {
  const { board_id, begin } = await board()
  const files = tap('1..1\nok 1 - adds\n')
  const reports: string[] = []
  for (let count = 0; count < 2; count++) {
    const { id: proof_run_id } = await begin()
    const input = { board_id, proof_run_id, files }
    const { id } = await world.ok('submit_test_report', input)
    expect(await world.call('submit_test_report', input)).toMatchObject({ status: 200, body: { id } })
    const ended = await world.ok('finish_proof_run', { run_id: proof_run_id, exit_code: 0, reports_expected: true })
    expect(ended).toMatchObject({ status: 'passed', report_ids: [id] })
    reports.push(id)
  }
  expect(new Set(reports).size).toBe(2)
})
