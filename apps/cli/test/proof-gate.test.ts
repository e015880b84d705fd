import { afterAll, beforeAll, expect, test } from 'vitest'
import { Person } from './support/person.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const sha = (digit: string) => digit.repeat(40)
const [a, b] = ['a', 'b'].map(sha) as [string, string]

const report = { conclusion: 'Done.', check: { how: 'by hand', result: 'passed' } }

/** A begun card on a board that asks for proof. */
async function begun(settings: Readonly<Record<string, unknown>>) {
  const scene = await Scene.on(world)
  const { boardId: board_id } = scene
  await world.ok('update_board', { board_id, settings })
  const card_id = await scene.smallChange()
  await world.ok('move_card', { card_id, target_status: 'started' })
  const { ref } = await world.ok('get_card', { card_id })
  const finish = () => world.call('move_card', { card_id, target_status: 'done', ...report })
  return {
    scene,
    board_id,
    card_id,
    ref: ref as string,
    finish,
    proof: () => world.ok('get_proof', { entity_type: 'card', entity_id: card_id }),
    submit: (query: object, as?: TestAgent, failed = false) =>
      world.ok(
        'submit_test_report',
        {
          board_id,
          ...query,
          files: [{ name: 'unit.tap', text: `TAP version 14\n${failed ? 'not ok' : 'ok'} 1 - adds\n1..1\n` }],
        },
        as === undefined ? {} : { as },
      ),
    /** A run that a program of ours watched. */
    prove: async (of: object, exit_code = 0) => {
      const { id } = await world.ok('begin_proof_run', { board_id, command: 'pnpm test', ...of })
      return world.ok('finish_proof_run', { run_id: id, exit_code })
    },
    gate: async () => {
      const { moves } = await world.ok('get_allowed_moves', { entity_type: 'card', entity_id: card_id })
      const { gates } = moves.find(({ to }: { to: string }) => to === 'done')
      const { state, skipped_by } = gates.find(({ gate }: { gate: string }) => gate === 'proof')
      return [state, skipped_by]
    },
  }
}

test('asks for nothing by default', async () => {
  const card = await begun({})
  expect(await card.gate()).toEqual(['skipped', 'min_evidence_tier'])
  expect(await card.proof()).toMatchObject({ status: 'none', tier: null, required_tier: 'claimed', waived: [] })
  expect(await card.finish()).toMatchObject({ status: 200 })
})

test('keeps a card from done until a run was watched', async () => {
  const card = await begun({ min_evidence_tier: 'observed' })
  expect(await card.gate()).toEqual(['blocked', null])
  const refused = await card.finish()
  expect(refused).toMatchObject({
    status: 409,
    body: {
      detail: {
        error: 'PROOF_REQUIRED',
        required_tier: 'observed',
        fresh: false,
        missing: [{ kind: 'card', id: card.card_id, ref: card.ref, ok: false, problem: 'tier', results: [] }],
        missing_total: 1,
        ways: [{ how: 'command' }, { how: 'ci', operation: 'create_agent' }, { how: 'person' }, { how: 'waiver' }],
      },
    },
  })
  expect(refused.body.detail.message).toContain(`specboard prove ${card.ref}`)
  // A claim is not enough.
  await card.submit({ for: card.ref })
  expect(await card.proof()).toMatchObject({ status: 'below', tier: null, tier_reason: 'not_present' })
  expect(await card.finish()).toMatchObject({ status: 409, body: { detail: { error: 'PROOF_REQUIRED' } } })
  const failed = await card.prove({ for: [card.ref] }, 1)
  expect(await card.proof()).toMatchObject({
    status: 'failing',
    tier: 'observed',
    run_id: failed.id,
    items: [{ problem: 'failed' }],
  })
  const run = await card.prove({ for: [card.ref] })
  expect(await card.gate()).toEqual(['passed', null])
  expect(await card.proof()).toMatchObject({
    status: 'proven',
    tier: 'observed',
    tier_reason: 'run',
    run_id: run.id,
    items: [{ ok: true, problem: 'none' }],
    ways: [],
  })
  expect(await card.finish()).toMatchObject({ status: 200 })
})

test('counts what newer commits do not outdate', async () => {
  const card = await begun({ require_fresh_evidence: true })
  const url = 'https://github.com/acme/shop'
  const { id: repository_id } = await world.ok('create_repository', { board_id: card.board_id, url })
  const commit = (key: string, parents: string[]) => ({
    sha: key,
    parents,
    subject: `Work on ${card.ref}`,
    author_name: 'A',
    author_email: 'a@example.com',
    authored_at: '2026-11-20T08:00:00Z',
    committed_at: '2026-11-20T08:00:00Z',
  })
  const target = { board_id: card.board_id, repository_id }
  await world.ok('record_changes', {
    ...target,
    commits: [commit(a, [])],
    branches: [{ name: 'main', head: a, is_default: true }],
  })
  await card.submit({ for: card.ref })
  expect(await card.proof()).toMatchObject({ stale: true, stale_reason: 'no_commit', newer: [{ sha: a }] })
  await card.submit({ for: card.ref, commit: a })
  expect(await card.proof()).toMatchObject({ stale: false, stale_reason: null, newer: [] })
  await world.ok('record_changes', {
    ...target,
    commits: [commit(b, [a])],
    branches: [{ name: 'main', head: b, is_default: true }],
  })
  expect(await card.proof()).toMatchObject({
    stale: true,
    stale_reason: 'newer_commit',
    newer: [{ sha: b }],
    items: [{ problem: 'stale' }],
  })
  expect(await card.finish()).toMatchObject({ status: 409, body: { detail: { error: 'PROOF_REQUIRED', fresh: true } } })
  // A later commit covers an earlier one.
  await card.submit({ for: card.ref, commit: b })
  expect(await card.proof()).toMatchObject({ stale: false, newer: [] })
  expect(await card.finish()).toMatchObject({ status: 200 })
})

test('excuses a card with a reason until it is reopened', async () => {
  const card = await begun({ min_evidence_tier: 'ci', require_merged_change: true })
  const reason = 'The tests run by hand only.'
  const { card_id } = card
  expect(await world.call('set_card_waiver', { card_id, gates: ['proof'], reason: 'short' })).toMatchObject({
    status: 422,
  })
  await world.ok('set_card_waiver', { card_id, gates: ['proof'], reason })
  expect(await card.gate()).toEqual(['skipped', 'waiver'])
  expect(await card.finish()).toMatchObject({ status: 409, body: { detail: { error: 'CHANGE_NOT_MERGED' } } })
  await world.ok('set_card_waiver', { card_id, gates: ['proof', 'change', 'proof'], reason })
  expect(await card.proof()).toMatchObject({ waived: ['proof', 'change'], waiver: { reason, by: world.owner.id } })
  expect(await card.finish()).toMatchObject({ status: 200 })
  await world.ok('move_card', { card_id, target_status: 'started' })
  expect(await card.proof()).toMatchObject({ waived: [], waiver: null })
  expect((await world.call('set_card_waiver', { card_id, gates: ['proof'] })).status).toBe(422)
  await world.ok('set_card_waiver', { card_id, gates: ['proof'], reason })
  await world.ok('set_card_waiver', { card_id, gates: [] })
  expect(await card.proof()).toMatchObject({ waived: [], waiver: null })
  expect(await card.finish()).toMatchObject({ status: 409, body: { detail: { error: 'PROOF_REQUIRED' } } })
  const spec_id = await card.scene.spec('in_progress')
  const other = await card.scene.card({ spec_id })
  await world.ok('archive_record', { board_id: card.board_id, entity_type: 'spec', entity_id: spec_id })
  const late = await world.call('set_card_waiver', { card_id: other, gates: [], reason })
  expect(late).toMatchObject({ status: 409, body: { detail: { error: 'ARCHIVED' } } })
})

test('asks scenarios of specs, and persons of what is run by hand', async () => {
  const scene = await Scene.on(world)
  const spec_id = await scene.specWithScenarios()
  await world.ok('update_board', { board_id: scene.boardId, settings: { min_evidence_tier: 'observed' } })
  const record = (more: object = {}) =>
    world.call('record_scenario_result', {
      spec_id,
      scenario_id: 's1',
      status: 'passed',
      evidence: { last_run_at: '2026-11-20T08:00:00Z', test_run_id: 'r' },
      ...more,
    })
  await record()
  const proof = await world.ok('get_proof', { entity_type: 'spec', entity_id: spec_id })
  expect(proof).toMatchObject({
    status: 'below',
    items: [{ problem: 'tier', results: [{ tier: 'claimed', status: 'passed' }] }],
  })
  expect(await record({ commit: 'abc' })).toMatchObject({ status: 422 })
  expect(await record({ commit: a, repository_id: 'none' })).toMatchObject({ status: 400 })
  expect(await record({ commit: a })).toMatchObject({ status: 200 })
  expect(await world.ok('get_proof', { entity_type: 'spec', entity_id: spec_id })).toMatchObject({ commit: a })
  const spec = await world.ok('get_spec', { spec_id })
  await world
    .ok('begin_proof_run', { board_id: scene.boardId, command: 'x', for: [`${spec.ref}/s1`] })
    .then(({ id }) => world.ok('finish_proof_run', { run_id: id, exit_code: 0 }))
  expect(await world.ok('get_proof', { entity_type: 'spec', entity_id: spec_id })).toMatchObject({
    status: 'proven',
    tier: 'observed',
    scenarios: { passed: 1, failed: 0, at_tier: 1 },
  })
  // A newer claimed failure does not close the gate.
  await record({ status: 'failed' })
  expect(await world.ok('get_proof', { entity_type: 'spec', entity_id: spec_id })).toMatchObject({ status: 'proven' })
})

test('answers an unknown kind with 400 and an unknown record with 404', async () => {
  const scene = await Scene.on(world)
  const card_id = await scene.card()
  expect(await world.call('get_proof', { entity_type: 'board', entity_id: card_id })).toMatchObject({ status: 400 })
  expect(await world.call('get_proof', { entity_type: 'spec', entity_id: card_id })).toMatchObject({ status: 404 })
})

test('lets nobody vouch for itself by the key of a pipeline that it was shown', async () => {
  const card = await begun({ min_evidence_tier: 'ci' })
  const ci = await world.agent({ kind: 'ci' })
  await card.scene.admit(ci)
  await card.submit({ for: card.ref }, ci)
  // Whoever created the key took part in the work.
  expect(await card.proof()).toMatchObject({
    status: 'below',
    tier_reason: 'seen_by_worker',
    items: [{ problem: 'tier', results: [{ tier: 'observed' }] }],
    ways: [{ how: 'ci', operation: null }, { how: 'person' }, { how: 'waiver' }],
  })
  expect(await card.finish()).toMatchObject({ status: 409, body: { detail: { required_tier: 'ci' } } })
  // A repository whose CI tokens count reports by itself.
  await world.ok('create_repository', {
    board_id: card.board_id,
    url: 'https://github.com/acme/shop',
    ci: { issuer: 'https://token.actions.githubusercontent.com' },
  })
  const { ways } = await card.proof()
  expect(ways[0]).toMatchObject({ how: 'ci', text: expect.stringContaining('acme/shop'), operation: null })
})

test('a run of a tree covers what lies behind any commit of that tree (evidence 7, rule 2)', async () => {
  const card = await begun({ require_fresh_evidence: true })
  const { board_id, ref } = card
  const { id: repository_id } = await world.ok('create_repository', { board_id, url: 'https://github.com/acme/shop' })
  const record = (commits: readonly object[]) => world.ok('record_changes', { board_id, repository_id, commits })
  await record([{ sha: a, parents: [], tree: sha('1'), subject: `${ref} Begin` }])
  await card.prove({ for: [ref], commit: a, tree: sha('2'), dirty: true })
  expect(await card.proof()).toMatchObject({ stale: true, stale_reason: 'no_commit' })
  // The tested tree is now committed, in a commit that names no record.
  await record([{ sha: b, parents: [a], tree: sha('2'), subject: 'Go on' }])
  expect(await card.proof()).toMatchObject({ status: 'proven', stale: false })
})

test('says why a result counts no more (evidence 4, rule 7)', async () => {
  const scene = await Scene.on(world)
  const spec_id = await scene.specWithScenarios()
  const { ref, test_scenarios } = await world.ok('get_spec', { spec_id })
  const outdated = async () => {
    const { items } = await world.ok('get_proof', { entity_type: 'spec', entity_id: spec_id })
    return [items[0].problem, items[0].results.at(-1).outdated]
  }
  const { id } = await world.ok('begin_proof_run', { board_id: scene.boardId, command: 'x', for: [`${ref}/s1`] })
  await world.ok('finish_proof_run', { run_id: id, exit_code: 0 })
  await world.ok('update_board', { board_id: scene.boardId, settings: { min_evidence_tier: 'observed' } })
  expect(await outdated()).toEqual(['none', null])
  await world.ok('set_scenario_tests', { spec_id, scenario_id: 's1', tests: ['adds'] })
  expect(await outdated()).toEqual(['outdated', 'tests_changed'])
  await world.ok('set_scenario_tests', { spec_id, scenario_id: 's1', tests: [] })
  expect(await outdated()).toEqual(['none', null])
  await world.ok('update_spec', {
    spec_id,
    test_scenarios: test_scenarios.map((scenario: object) => ({ ...scenario, given: 'Another world' })),
  })
  expect(await outdated()).toEqual(['outdated', 'scenario_changed'])
})

test('keeps sprints open and specs in progress until their scenarios are proven', async () => {
  const scene = await Scene.on(world)
  const { boardId: board_id } = scene
  const spec_id = await scene.specWithScenarios(2, 'in_progress', { skip_test_coverage: true })
  for (const scenario_id of ['s1', 's2'])
    await world.ok('record_scenario_result', {
      spec_id,
      scenario_id,
      status: 'passed',
      evidence: { last_run_at: '2026-11-20T08:00:00Z', test_run_id: 'r' },
    })
  const { sprint_id, card_id } = await scene.sprint('review', {
    spec_id,
    test_scenario_ids: ['s1'],
    skip_test_coverage: true,
  })
  await world.ok('update_board', {
    board_id,
    settings: { min_evidence_tier: 'observed', skip_test_evidence_global: true, skip_test_coverage_global: true },
  })
  await world.ok('submit_sprint_evaluation', { sprint_id, overall_score: 90, recommendation: 'approve' })
  const { ref } = await world.ok('get_spec', { spec_id })
  const prove = async (scenario: string) => {
    const { id } = await world.ok('begin_proof_run', { board_id, command: 'x', for: [`${ref}/${scenario}`] })
    await world.ok('finish_proof_run', { run_id: id, exit_code: 0 })
  }
  const close = () => world.call('move_sprint', { sprint_id, status: 'closed' })
  expect(await close()).toMatchObject({
    status: 409,
    body: { detail: { error: 'PROOF_REQUIRED', missing: [{ id: 's1', ref: `${ref}/s1` }], missing_total: 1 } },
  })
  const waiting = async (kind: string): Promise<unknown[]> =>
    (await world.ok('list_my_inbox', { kind, board_id })).items
  expect(await waiting('sprint_next')).toMatchObject([
    { operation: 'get_proof', arguments: { entity_id: sprint_id }, data: { gate: 'proof', first: [{ id: 's1' }] } },
  ])
  await prove('s1')
  expect(await close()).toMatchObject({ status: 200 })
  await world.ok('move_card', { card_id, target_status: 'cancelled' })
  const finish = () => world.call('move_spec', { spec_id, status: 'done' })
  expect(await finish()).toMatchObject({
    status: 409,
    body: { detail: { error: 'PROOF_REQUIRED', missing: [{ id: 's2', problem: 'tier' }] } },
  })
  expect(await waiting('spec_coverage')).toMatchObject([
    { operation: 'get_proof', arguments: { entity_id: spec_id }, data: { gate: 'proof', first: [{ id: 's2' }] } },
  ])
  expect(await waiting('spec_finish')).toEqual([])
  await prove('s2')
  expect(await finish()).toMatchObject({ status: 200 })
})

test('asks a present person to loosen it where one approves, and the audit tells of every loosening', async () => {
  const scene = await Scene.on(world)
  const { boardId: board_id } = scene
  const loosen = () => world.call('update_board', { board_id, settings: { min_evidence_tier: 'claimed' } })
  await world.ok('update_board', { board_id, settings: { min_evidence_tier: 'observed' } })
  expect(await loosen()).toMatchObject({ status: 200 })
  expect(await world.ok('list_audit', { action: 'evidence_loosened', target_id: board_id })).toMatchObject([
    { fields: ['min_evidence_tier'], details: { min_evidence_tier: ['observed', 'claimed'] } },
  ])
  await world.ok('update_board', { board_id, settings: { min_evidence_tier: 'observed', approval_done: 'person' } })
  expect(await loosen()).toMatchObject({
    status: 409,
    body: { detail: { error: 'PERSON_REQUIRED', gate: 'min_evidence_tier' } },
  })
  const card_id = await scene.card()
  expect(
    await world.call('set_card_waiver', { card_id, gates: ['proof'], reason: 'The tests run by hand only.' }),
  ).toMatchObject({ status: 409, body: { detail: { error: 'PERSON_REQUIRED', gate: 'approval_done' } } })
})

test('takes the validation of a present person as proof of the card that it moves to done', async () => {
  const card = await begun({ min_evidence_tier: 'observed' })
  await world.ok('move_card', { card_id: card.card_id, target_status: 'validation', ...report })
  const verdict = { card_id: card.card_id, outcome: 'success', summary: 'Works.', recommendation: 'approve' }
  expect(await world.ok('submit_task_validation', verdict)).toMatchObject({
    card_status: 'validation',
    routing_blocked: { error: 'PROOF_REQUIRED', gate: 'proof' },
  })
  const person = await Person.owner(world)
  const submitted = await person.ok('submit_task_validation', verdict)
  expect([submitted.card_status, submitted.routing_blocked]).toEqual(['done', undefined])
  expect(await card.proof()).toMatchObject({ status: 'proven', tier: 'person', done_tier: 'person' })
})

test('tells who works on a card that nothing is left but to prove it', async () => {
  const scene = await Scene.on(world)
  const { boardId: board_id } = scene
  const validator = await world.agent()
  await scene.admit(validator)
  const card_id = await scene.workableCard()
  await world.ok('update_board', { board_id, settings: { min_evidence_tier: 'observed' } })
  const whole = { completeness: 100, completeness_justification: 'All.', drift: 0, drift_justification: 'None.' }
  await world.ok('move_card', { card_id, target_status: 'validation', conclusion: 'Done.', ...whole })
  const inbox = async (): Promise<unknown[]> =>
    (await world.ok('list_my_inbox', { kind: 'card_unproven', board_id })).items
  expect(await inbox()).toEqual([])
  const verdict = { outcome: 'success', summary: 'Works.', recommendation: 'approve' }
  const submitted = await world.ok('submit_task_validation', { card_id, ...verdict }, { as: validator })
  expect(submitted).toMatchObject({
    card_status: 'validation',
    routing_blocked: { error: 'PROOF_REQUIRED', gate: 'proof' },
  })
  expect(await inbox()).toMatchObject([
    {
      kind: 'card_unproven',
      operation: 'get_proof',
      arguments: { entity_id: card_id },
      data: { required_tier: 'observed' },
    },
  ])
  // Nobody holds it or is assigned: whoever may finish it is notified, no matter who moved it last.
  const finisher = await world.agent()
  await scene.admit(finisher)
  const asFinisher = async () =>
    (await world.ok('list_my_inbox', { kind: 'card_unproven', board_id }, { as: finisher })).items.length
  expect(await asFinisher()).toBe(1)
  await world.ok('update_card', { card_id, assignee_id: world.owner.id })
  expect(await asFinisher()).toBe(0)
  const { id } = await world.ok('begin_proof_run', { board_id, command: 'x', for: [card_id] })
  await world.ok('finish_proof_run', { run_id: id, exit_code: 0 })
  expect(await inbox()).toEqual([])
  await world.ok('move_card', { card_id, target_status: 'done' })
})

test('tells of scenarios that fail until they pass', async () => {
  const scene = await Scene.on(world)
  const { boardId: board_id } = scene
  const spec_id = await scene.specWithScenarios()
  const { ref } = await world.ok('get_spec', { spec_id })
  const run = async (exit_code: number) => {
    const { id } = await world.ok('begin_proof_run', { board_id, command: 'x', for: [`${ref}/s1`] })
    await world.ok('finish_proof_run', { run_id: id, exit_code })
  }
  const inbox = async (as?: TestAgent): Promise<unknown[]> =>
    (await world.ok('list_my_inbox', { kind: 'scenario_failed', board_id }, as === undefined ? {} : { as })).items
  expect(await inbox()).toEqual([])
  await run(1)
  expect(await inbox()).toMatchObject([
    { kind: 'scenario_failed', record: { id: spec_id }, data: { scenario_id: 's1', tier: 'observed' } },
  ])
  const worker = await world.agent()
  await scene.admit(worker)
  expect(await inbox(worker)).toHaveLength(1)
  // Whoever works on it is notified, and nobody else.
  await scene.card({ spec_id, card_type: 'test', test_scenario_ids: ['s1'], assignee_id: worker.id })
  expect([(await inbox()).length, (await inbox(worker)).length]).toEqual([0, 1])
  await run(0)
  expect(await inbox(worker)).toEqual([])
})

test('tells who may take a spec back that what was done fails now', async () => {
  const scene = await Scene.on(world)
  const { boardId: board_id } = scene
  const spec_id = await scene.specWithScenarios(1, 'done')
  const { ref } = await world.ok('get_spec', { spec_id })
  await world.ok('create_repository', { board_id, url: 'https://github.com/acme/shop' })
  const { id } = await world.ok('begin_proof_run', { board_id, command: 'x', branch: 'main', for: [`${ref}/s1`] })
  await world.ok('finish_proof_run', { run_id: id, exit_code: 1 })
  const { items } = await world.ok('list_my_inbox', { kind: 'regression', board_id })
  expect(items).toMatchObject([{ record: { id: spec_id, status: 'done' }, data: { scenario_id: 's1', run_id: id } }])
})
