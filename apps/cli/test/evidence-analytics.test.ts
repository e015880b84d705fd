import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const report = { conclusion: 'Done.', check: { how: 'by hand', result: 'passed' } }

const none = { none: 0, claimed: 0, observed: 0, ci: 0, person: 0 }

const junit = `<testsuites><testsuite name="shop">
  <testcase classname="cart" name="adds" time="0.25"/>
  <testcase classname="cart" name="pays" time="1.5"><flakyFailure message="timeout"/></testcase>
</testsuite></testsuites>`

describe('get_evidence_analytics (evidence 10)', () => {
  test('has nothing to tell of a board without evidence', async () => {
    const scene = await Scene.on(world)
    const { boardId: board_id } = scene
    await scene.specWithScenarios(2)
    const figures = await world.ok('get_evidence_analytics', { board_id })
    expect(figures).toMatchObject({
      board_id,
      done_cards: { total: 0, by_tier: none, stale: 0, waived: 0, imported: 0 },
      scenarios: { total: 2, by_tier: { ...none, none: 2 }, failing: 0, contradicted: 0 },
      flaky: [],
      slowest: [],
      reports: { total: 0, empty: 0, failed: 0, by_tier: { claimed: 0, observed: 0, ci: 0, person: 0 } },
      hours_to_proof: { p50: null, p90: null },
    })
    expect(figures.weeks).toHaveLength(12)
    expect((await world.ok('get_board_overview', { board_id })).proof).toBeNull()
    expect(String((await world.call('export_board_analytics', { board_id })).body)).not.toContain('Evidence')
  })

  test('counts what was proven, by whom, and what the tests are like', async () => {
    const scene = await Scene.on(world)
    const { boardId: board_id } = scene
    const prove = async (options: object, exit_code = 0) => {
      const { id } = await world.ok('begin_proof_run', { board_id, command: 'pnpm test', ...options })
      return world.ok('finish_proof_run', { run_id: id, exit_code })
    }
    const startCard = async () => {
      const card_id = await scene.smallChange()
      await world.ok('move_card', { card_id, target_status: 'started' })
      const { ref } = await world.ok('get_card', { card_id })
      return { card_id, ref: ref as string }
    }
    const [proven, unproven, failing] = [await startCard(), await startCard(), await startCard()]
    await prove({ for: [proven.ref] })
    await prove({ for: [failing.ref] }, 1)
    for (const { card_id } of [proven, unproven])
      await world.ok('move_card', { card_id, target_status: 'done', ...report })
    await world.ok('set_card_waiver', {
      card_id: unproven.card_id,
      gates: ['proof'],
      reason: 'Nothing of it can be tested.',
    })
    await scene.card({ status: 'done', spec_id: await scene.spec('in_progress') })
    const spec_id = await scene.specWithScenarios(2)
    const { ref } = await world.ok('get_spec', { spec_id })
    await prove({ for: [`${ref}/s1`] }, 1)
    await world.ok('submit_test_report', { board_id, files: [{ name: 'unit.xml', text: junit }] })
    const figures = await world.ok('get_evidence_analytics', { board_id })
    expect(figures).toMatchObject({
      done_cards: { by_tier: { observed: 1 }, stale: 0, waived: 1 },
      scenarios: { total: 2, by_tier: { none: 1, observed: 1 }, failing: 1, contradicted: 0 },
      flaky: [{ address: 'shop::cart::pays', runs: 1, flaky_runs: 1 }],
      slowest: [
        { address: 'shop::cart::pays', duration_ms: 1_500 },
        { address: 'shop::cart::adds', duration_ms: 250 },
      ],
      reports: { total: 1, empty: 0, failed: 0, by_tier: { claimed: 1 } },
    })
    const { total, by_tier, imported } = figures.done_cards
    expect(total).toBe(3)
    expect(Object.values(by_tier as Record<string, number>).reduce((sum, count) => sum + count, 0) + imported).toBe(
      total,
    )
    expect(figures.weeks.at(-1)).toMatchObject({ done: total - imported, by_tier })
    expect(await world.ok('get_evidence_analytics', { board_id, to: '2020-01-01' })).toMatchObject({
      done_cards: { total: 0 },
      reports: { total: 0 },
      flaky: [],
    })
    expect((await world.ok('get_board_overview', { board_id })).proof).toMatchObject({
      done_by_tier: { observed: 1 },
      unproven: 0,
      stale: 0,
      failing: 1,
    })
    const csv = String((await world.call('export_board_analytics', { board_id })).body)
    for (const row of [
      'Evidence,Value',
      'done_cards.by_tier.observed,1',
      'shop::cart::pays,1,1',
      'shop::cart::pays,1500',
    ])
      expect(csv).toContain(row)
  })
})
