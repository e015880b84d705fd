import { Connection } from '@specboard/storage'
import { testOnSqlite } from '@specboard/storage/on-sqlite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { forgeSecret, mergedRequest, sendEvent, settled } from './support/forge.ts'
import { McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const [base, head, merge] = ['a', 'b', 'c'].map(digit => digit.repeat(40)) as [string, string, string]

/** A merged pull request for a card, as GitHub reports it. */
const merged = (ref: string) => mergedRequest({ title: `${ref}: sign in`, base, head, merge })

const green = {
  check_run: {
    name: 'unit',
    head_sha: head,
    status: 'completed',
    conclusion: 'success',
    completed_at: '2026-11-20T09:00:00Z',
  },
}

const none = { moves: 0, cards: [] }

const report = { conclusion: 'Done.', completeness: 100, drift: 0 }
const reasons = { completeness_justification: 'All.', drift_justification: 'None.' }

const toValidation = (card_id: string) =>
  world.ok('move_card', { card_id, target_status: 'validation', ...report, ...reasons, check: { how: 'by hand' } })

/** A board with five cards in validation: with nothing, waived, merged and green, watched, and a test said to pass. */
async function filled() {
  const scene = await Scene.on(world)
  const { boardId: board_id } = scene
  await world.ok('update_board', { board_id, settings: { require_task_validation: false } })
  const { id: repository_id } = await world.ok('create_repository', {
    board_id,
    url: 'https://github.com/acme/shop',
    webhook_secret: forgeSecret,
  })
  const small = async () => {
    const card_id = await scene.smallChange()
    await world.ok('move_card', { card_id, target_status: 'started' })
    return card_id
  }
  const refOf = async (card_id: string) => (await world.ok('get_card', { card_id })).ref as string
  const [bare, waived, changed, watched] = [await small(), await small(), await small(), await small()]
  await world.ok('set_card_waiver', { card_id: waived, gates: ['proof', 'change'], reason: 'No code, no test.' })
  const tell = async (event: string, payload: object) => {
    await sendEvent(world, repository_id, { event, payload })
    await settled(world, repository_id)
  }
  await tell('pull_request', merged(await refOf(changed)))
  await tell('check_run', green)
  const { id: run_id } = await world.ok('begin_proof_run', { board_id, for: [await refOf(watched)], command: 'test' })
  await world.ok('finish_proof_run', { run_id, exit_code: 0 })
  const spec_id = await scene.specWithScenarios(1, 'in_progress')
  const tested = await scene.testCard({ spec_id })
  await world.ok('move_card', { card_id: tested, target_status: 'started' })
  await world.ok('record_scenario_result', {
    spec_id,
    scenario_id: 's1',
    status: 'passed',
    evidence: { output_snippet: 'ok', last_run_at: '2026-11-20T10:00:00Z' },
  })
  const cards = [bare, waived, changed, watched, tested]
  for (const card_id of cards) await toValidation(card_id)
  return { board_id, cards }
}

test('it counts what the moves to done would refuse under each setting (evidence 8, rule 6)', async () => {
  const { board_id, cards } = await filled()
  const preview = await world.ok('preview_board_settings', { board_id })
  expect(preview).toEqual({
    in_validation: 5,
    refused: {
      min_evidence_tier: { claimed: 0, observed: 3, ci: 4, person: 4 },
      require_fresh_evidence: 2,
      require_merged_change: 2,
      require_green_checks: 3,
    },
    automations: {
      auto_start_on_change: none,
      auto_validation_on_pull_request: none,
      auto_done_on_merge: none,
      notify_failed_checks: none,
    },
  })
  const refusing = async (gate: string, settings: object) => {
    await world.ok('update_board', { board_id, settings })
    const blocked = await Promise.all(
      cards.map(async entity_id => {
        const { moves } = await world.ok('get_allowed_moves', { entity_type: 'card', entity_id })
        const { gates } = moves.find(({ to }: { to: string }) => to === 'done')
        return gates.find((each: { gate: string }) => each.gate === gate)?.state === 'blocked'
      }),
    )
    return blocked.filter(Boolean).length
  }
  for (const [tier, count] of Object.entries(preview.refused.min_evidence_tier))
    expect([tier, await refusing('proof', { min_evidence_tier: tier })]).toEqual([tier, count])
  await world.ok('update_board', { board_id, settings: { min_evidence_tier: 'claimed' } })
  const { require_fresh_evidence, require_merged_change, require_green_checks } = preview.refused
  expect(await refusing('proof', { require_fresh_evidence: true })).toBe(require_fresh_evidence)
  expect(await refusing('change', { require_merged_change: true })).toBe(require_merged_change)
  expect(await refusing('checks', { require_green_checks: true })).toBe(require_green_checks)
})

/** Statements that read what the gates `change` and `checks` judge. */
const ofChanges = /\b(?:change_links|branch_commits|change_checks|from test_reports)\b/

testOnSqlite('it asks no more of many cards with changes than of one (git 6)', async () => {
  const scene = await Scene.on(world)
  const { boardId: board_id } = scene
  await world.ok('update_board', { board_id, settings: { require_task_validation: false, min_evidence_tier: 'ci' } })
  const { id: repository_id } = await world.ok('create_repository', { board_id, url: 'https://github.com/acme/shop' })
  const changed = async (digit: string) => {
    const card_id = await scene.smallChange()
    const { ref } = await world.ok('get_card', { card_id })
    const commits = [{ sha: digit.repeat(40), subject: ref, branch: digit }]
    await world.ok('record_changes', { board_id, repository_id, commits })
    await world.ok('move_card', { card_id, target_status: 'started' })
    await toValidation(card_id)
  }
  const countOnce = async () => {
    const run = vi.spyOn(Connection.prototype, 'execute')
    await world.ok('preview_board_settings', { board_id })
    const { length } = run.mock.calls.filter(([text]) => ofChanges.test(text))
    run.mockRestore()
    return length
  }
  // The fewest of three: followers of the events above may read changes meanwhile.
  const queryCount = async () => Math.min(await countOnce(), await countOnce(), await countOnce())
  await changed('1')
  const baseline = await queryCount()
  for (const digit of ['2', '3', '4']) await changed(digit)
  expect(await queryCount()).toBe(baseline)
  const { refused } = await world.ok('preview_board_settings', { board_id })
  expect([refused.require_merged_change, refused.require_green_checks]).toEqual([4, 4])
})

test('it tells what automations would have done lately (git 7, rule 8)', async () => {
  const scene = await Scene.on(world)
  const { boardId: board_id } = scene
  const url = 'https://github.com/acme/shop'
  const { id } = await world.ok('create_repository', { board_id, url, webhook_secret: forgeSecret })
  await world.ok('put_authors', { board_id, authors: [{ login: 'mo', agent_id: world.owner.id }] })
  const card_id = await scene.smallChange()
  const { ref } = await world.ok('get_card', { card_id })
  await world.ok('claim_card', { card_id })
  const tell = async (event: string, payload: object) => {
    await sendEvent(world, id, { event, payload })
    await settled(world, id)
  }
  const preview = async () => (await world.ok('preview_board_settings', { board_id })).automations
  const once = { moves: 1, cards: [ref] }
  const email = `${world.owner.id}@specboard`
  const commit = { sha: head, subject: `${ref}: sign in`, author_name: 'Mo', author_email: email }
  await world.ok('record_changes', { board_id, repository_id: id, commits: [{ ...commit, branch: 'work' }] })
  expect(await preview()).toMatchObject({ auto_start_on_change: once, auto_validation_on_pull_request: none })
  await world.ok('move_card', { card_id, target_status: 'started' })
  const { pull_request } = merged(ref)
  const open = { ...pull_request, user: { login: 'mo' }, state: 'open', merged: false, merge_commit_sha: null }
  await tell('pull_request', {
    action: 'opened',
    pull_request: { ...open, merged_at: null, updated_at: '2026-11-20T09:00:00Z' },
  })
  await tell('check_run', { check_run: { ...green.check_run, conclusion: 'failure' } })
  await toValidation(card_id)
  await tell('pull_request', merged(ref))
  expect(await preview()).toEqual({
    auto_start_on_change: once,
    auto_validation_on_pull_request: once,
    auto_done_on_merge: once,
    notify_failed_checks: once,
  })
})

test('what gates of changes would refuse is told to who may read changes', async () => {
  const scene = await Scene.on(world)
  const { boardId: board_id } = scene
  const reader = await world.agent({ permission_flags: { CHANGES_READ: false } })
  await scene.admit(reader)
  const noTier = { claimed: 0, observed: 0, ci: 0, person: 0 }
  const refused = { min_evidence_tier: noTier, require_fresh_evidence: 0 }
  const changes = { require_merged_change: null, require_green_checks: null }
  const answer = { in_validation: 0, refused: { ...refused, ...changes }, automations: null }
  expect(await world.ok('preview_board_settings', { board_id }, { as: reader })).toEqual(answer)
  const wire = new McpWire(world)
  const { value } = await wire.tool('preview_board_settings', { board_id }, { as: reader })
  // Over MCP, members without a value are left out.
  expect(value).toEqual({ in_validation: 0, refused })
})
