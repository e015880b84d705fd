import { afterAll, beforeAll, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'
import { linesOf, zipEntries } from './support/zip-entries.ts'

let world: World
/** Where archives are imported. */
let other: World

beforeAll(async () => {
  world = await World.start()
  other = await World.start()
})

afterAll(async () => {
  await world.stop()
  await other.stop()
})

const commit = 'a'.repeat(40)

const conclusion = { conclusion: 'Done.', check: { how: 'by hand', result: 'passed' } }

/**
 * A board with a scenario that a CI job proved. There are proof runs for two of its cards, one of which is done; a
 * third card is waived.
 */
async function proven() {
  const scene = await Scene.on(world)
  const { boardId: board_id } = scene
  await world.ok('create_repository', {
    board_id,
    url: 'https://github.com/acme/shop',
    ci: { issuer: 'https://token.actions.githubusercontent.com' },
  })
  const spec_id = await scene.specWithScenarios(2, 'in_progress')
  const { ref } = await world.ok('get_spec', { spec_id })
  const [card_id, waived, done] = [await scene.smallChange(), await scene.smallChange(), await scene.smallChange()]
  const pipeline = await world.agent({ kind: 'ci' })
  await scene.admit(pipeline)
  const tap = `TAP version 14\nok 1 - ${ref}/s1 works\nok 2 - nothing to do with it\n1..2\n`
  const report = await world.ok(
    'submit_test_report',
    { board_id, commit, branch: 'main', ci_run: '7', files: [{ name: 'unit.tap', text: tap }] },
    { as: pipeline },
  )
  const run = await world.ok('begin_proof_run', { board_id, command: 'pnpm test', commit, for: [card_id] })
  await world.ok('submit_test_report', {
    board_id,
    proof_run_id: run.id,
    files: [{ name: 'unit.tap', text: tap.replace('ok 2', 'not ok 2').replace(`${ref}/s1`, `${ref}/s2`) }],
  })
  await world.ok('finish_proof_run', { run_id: run.id, exit_code: 0, output_tail: 'ok' })
  await world.ok('begin_proof_run', { board_id, command: 'never ends', for: [card_id] })
  const passingRun = await world.ok('begin_proof_run', { board_id, command: 'pnpm test', commit, for: [done] })
  await world.ok('finish_proof_run', { run_id: passingRun.id, exit_code: 0 })
  await world.ok('move_card', { card_id: done, target_status: 'started' })
  await world.ok('move_card', { card_id: done, target_status: 'done', ...conclusion })
  await world.ok('set_card_waiver', { card_id: waived, gates: ['proof'], reason: 'Nothing to test here.' })
  return { board_id, spec_id, card_id, waived, done, report, run }
}

const kinds = ['repository', 'test_report', 'proof_run', 'scenario_result', 'waiver', 'done_tier']

const recordsOf = async (file: File) =>
  linesOf((await zipEntries(file)).get('records.jsonl')).filter(({ type }) => kinds.includes(type))

const proofOf = (at: World, entity_type: string, entity_id: string) => at.ok('get_proof', { entity_type, entity_id })

test('evidence leaves and comes back as it was, and vouches for nothing (evidence 14)', async () => {
  const { board_id, spec_id, card_id, waived, report } = await proven()
  expect(await proofOf(world, 'spec', spec_id)).toMatchObject({ items: [{ results: [{ tier: 'ci' }] }, {}] })
  const file = await world.archive(board_id)
  const records = await recordsOf(file)
  expect(records.map(({ type }) => type)).toEqual([
    'repository',
    'test_report',
    'test_report',
    'proof_run',
    'proof_run',
    ...Array.from({ length: records.length - 7 }, () => 'scenario_result'),
    'waiver',
    'done_tier',
  ])
  expect(records.find(({ id }) => id === report.id)).toMatchObject({
    tier: 'ci',
    passed: 2,
    named_cases: [{ name: expect.stringContaining('s1'), status: 'passed', flaky: false }],
  })

  expect(await other.call('import_board', { file })).toMatchObject({ status: 201, body: { skipped: {} } })
  expect(await recordsOf(await other.archive(board_id))).toEqual(records)
  expect(await other.ok('get_test_report', { report_id: report.id })).toMatchObject({
    tier: 'claimed',
    tier_reason: 'imported',
    cases_kept: false,
    origin: { tier: 'ci', service: expect.stringContaining('Specboard') },
  })
  expect(await other.ok('list_test_cases', { report_id: report.id })).toMatchObject([{ status: 'passed' }])
  const imported = [{ tier: 'claimed', tier_reason: 'imported', status: 'passed' }]
  expect(await proofOf(other, 'spec', spec_id)).toMatchObject({
    ...{ status: 'below', tier: null, tier_reason: 'imported', scenarios: { at_tier: 0 } },
    items: [{ ok: false, problem: 'tier', results: imported }, {}],
  })
  expect((await other.ok('get_spec', { spec_id })).proof).toBeNull()
  expect((await other.ok('get_card', { card_id })).proof).toBeNull()
  expect(await proofOf(other, 'card', waived)).toMatchObject({ waived: [], waiver: { imported: true } })
  const [repository] = await other.ok('list_repositories', { board_id })
  expect(repository.ci).toMatchObject({ subject: 'acme/shop', pinned_id: null, set_by: other.owner.id })
  // Imported evidence passes no gate, not even one that accepts claims as long as they are fresh.
  for (const settings of [{ require_fresh_evidence: true }, { min_evidence_tier: 'observed' }]) {
    await other.ok('update_board', { board_id, settings })
    for (const entity_id of [card_id, waived]) {
      const { moves } = await other.ok('get_allowed_moves', { entity_type: 'card', entity_id })
      const { gates } = moves.find(({ to }: { to: string }) => to === 'done')
      expect(gates.find(({ gate }: { gate: string }) => gate === 'proof').state).toBe('blocked')
    }
  }
  const { reports, done_cards, scenarios } = await other.ok('get_evidence_analytics', { board_id })
  expect([reports.total, done_cards.waived, scenarios.by_tier.claimed]).toEqual([0, 0, 0])
  // A result that is recorded here counts as a claim made here.
  await other.ok('update_board', { board_id, settings: { require_fresh_evidence: true, min_evidence_tier: 'claimed' } })
  const evidence = { last_run_at: '2026-01-01T10:00:00Z', output_snippet: 'ok' }
  await other.ok('record_scenario_result', { spec_id, scenario_id: 's1', status: 'passed', evidence })
  expect(await proofOf(other, 'spec', spec_id)).toMatchObject({
    tier: 'claimed',
    tier_reason: 'not_present',
    items: [{ ok: true }, {}],
  })
})

test('the same report that is sent here later counts, and so does a copy of the board', async () => {
  const { board_id, spec_id } = await proven()
  const file = await world.archive(board_id)
  const copy = await other.ok('import_board', { file, keep_ids: false })
  const records = await recordsOf(await other.archive(copy.board_id))
  expect(records.map(({ type }) => type)).toEqual((await recordsOf(file)).map(({ type }) => type))
  const [spec] = await other.ok('list_specs', { board_id: copy.board_id })
  expect(spec.id).not.toBe(spec_id)
  expect(records.filter(({ type }) => type === 'scenario_result').map(of => of.spec_id)).toEqual(
    expect.arrayContaining([spec.id]),
  )
  const [repository] = await other.ok('list_repositories', { board_id: copy.board_id })
  expect(repository.ci.audience).toBe(`specboard:${copy.board_id}`)
  const pipeline = await other.agent({ kind: 'ci' })
  await other.ok('grant_board_access', { agent_id: pipeline.id, board_id: copy.board_id })
  const text = `TAP version 14\nok 1 - ${spec.ref}/s1 works\n1..1\n`
  const testReport = await other.ok(
    'submit_test_report',
    { board_id: copy.board_id, commit, branch: 'main', ci_run: '7', files: [{ name: 'unit.tap', text }] },
    { as: pipeline },
  )
  expect(testReport).toMatchObject({ tier: 'ci', mapping: { scenarios: [{ result: 'passed' }] } })
  const { items } = await proofOf(other, 'spec', spec.id)
  expect(items[0].results.map(({ tier }: { tier: string }) => tier)).toEqual(['claimed', 'ci'])
})

test('into a board that stands: nothing twice, and no result or waiver of what is here', async () => {
  const { board_id, spec_id, waived } = await proven()
  const file = await world.archive(board_id)
  expect(await world.ok('import_board', { file, board_id })).toMatchObject({ created: {}, skipped: {} })
  await world.ok('set_card_waiver', { card_id: waived, gates: [] })
  expect(await world.ok('import_board', { file, board_id })).toMatchObject({ created: {}, skipped: { waiver: 1 } })
  expect(await proofOf(world, 'card', waived)).toMatchObject({ waived: [], waiver: null })
  expect(await proofOf(world, 'spec', spec_id)).toMatchObject({ items: [{ results: [{ tier: 'ci' }] }, {}] })
  expect(await world.ok('import_board', { file, board_id, keep_ids: false })).toMatchObject({
    created: { test_report: 2, proof_run: 2, waiver: 1, done_tier: 1, scenario_result: expect.any(Number) },
  })
})

test('what a record was done with travels, and is a claim where it comes in (evidence 14)', async () => {
  const { board_id, done } = await proven()
  expect(await proofOf(world, 'card', done)).toMatchObject({ done_tier: 'observed' })
  const file = await world.archive(board_id)
  const tiers = async (at: File) => (await recordsOf(at)).filter(({ type }) => type === 'done_tier')
  const stored = { type: 'done_tier', entity_type: 'card', entity_id: done, tier: 'observed' }
  expect(await tiers(file)).toEqual([stored])

  await other.ok('import_board', { file })
  const again = await other.archive(board_id)
  expect((await zipEntries(again)).get('records.jsonl')).toEqual((await zipEntries(file)).get('records.jsonl'))
  const origin = { tier: 'observed', service: expect.stringContaining('Specboard') }
  expect(await proofOf(other, 'card', done)).toMatchObject({ done_tier: 'claimed', done_origin: origin })
  await other.ok('update_board', { board_id, settings: { min_evidence_tier: 'observed' } })
  const { proof } = await other.ok('get_board_overview', { board_id })
  expect(proof.done_by_tier).toMatchObject({ none: 1, claimed: 0, observed: 0 })
  expect((await other.ok('get_card', { card_id: done })).proof).toMatchObject({ done_tier: 'claimed' })
  // Into the board that has it: nothing new. A copy names the card of the copy.
  expect(await other.ok('import_board', { file, board_id })).toMatchObject({ created: {}, unchanged: { done_tier: 1 } })
  const copy = await other.ok('import_board', { file, keep_ids: false })
  const [copied] = await tiers(await other.archive(copy.board_id))
  expect(copied).toEqual({ ...stored, entity_id: expect.not.stringMatching(done) })
  // Once the card is moved here, only evidence from here counts, not what came with a file.
  await other.ok('move_card', { card_id: done, target_status: 'in_progress' })
  expect(await tiers(await other.archive(board_id))).toEqual([])
  await other.ok('update_board', { board_id, settings: { min_evidence_tier: 'claimed' } })
  await other.ok('move_card', { card_id: done, target_status: 'done', ...conclusion })
  const here = await proofOf(other, 'card', done)
  expect([here.done_tier, here.done_origin]).toEqual([null, undefined])
})
