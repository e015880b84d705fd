import { expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

const tap = `TAP version 14
1..3
ok 1 - sells a thing
not ok 2 - takes it back
  ---
  message: "it was kept"
  ...
ok 3 - wraps it
`

describeInBrowser('a test report', () => {
  const here = browsing()

  /** The page of a report whose second test proves a scenario. */
  const opened = async (looks = {}) => {
    const { world } = here()
    const scene = await Scene.on(world)
    const { boardId: board_id } = scene
    const spec_id = await scene.specWithScenarios(2, 'in_progress')
    const { ref, title } = await world.ok('get_spec', { spec_id })
    await world.ok('set_scenario_tests', { spec_id, scenario_id: 's1', tests: ['takes it back'] })
    const files = [{ name: 'unit.tap', text: tap }]
    const card_id = await scene.card({ spec_id, title: 'Sell things' })
    const { ref: card } = await world.ok('get_card', { card_id })
    const report = { board_id, name: 'unit', commit: 'a'.repeat(40), for: card, files }
    const { id } = await world.ok('submit_test_report', report)
    const page = await here().open(`/b/${await scene.boardKey()}/reports/${id}`, looks)
    await page.getByRole('heading', { name: 'Report unit' }).waitFor()
    return { world, page, spec_id, ref: ref as string, title: title as string, card: card as string }
  }

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)(
    'shows what failed, and what it says of scenarios, %s, %i wide (evidence 13)',
    async (colorScheme, width) => {
      const { page, ref, card } = await opened({ colorScheme, width })
      await page.getByText('3 tests ran, 2 passed').waitFor()
      const failing = page.getByRole('region', { name: 'Failing tests' })
      await failing.getByText('takes it back').waitFor()
      await failing.getByText('it was kept').waitFor()
      const scenarios = page.getByRole('region', { name: 'What it says about scenarios' })
      await scenarios.getByRole('link', { name: `${ref}/s1` }).waitFor()
      await scenarios.getByText('Failed').waitFor()
      const records = page.getByRole('region', { name: 'What it counts for' })
      const line = records.getByRole('listitem').filter({ hasText: 'Sell things' })
      await line.getByRole('link', { name: card }).waitFor()
      await line.getByText('named by whoever sent it').waitFor()
      expect(await seriousFindings(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    },
  )

  test('a test that proves nothing is linked to a scenario (evidence 13)', async () => {
    const { world, page, spec_id, ref, title } = await opened()
    const unmapped = page.getByRole('region', { name: 'Tests that prove nothing yet' })
    await unmapped.getByText('wraps it').waitFor()
    await unmapped.getByLabel('Spec', { exact: true }).selectOption({ label: `${ref} ${title}` })
    const choice = unmapped.getByLabel('Scenario that it proves: wraps it')
    await choice.waitFor()
    await choice.selectOption('s2')
    await unmapped.getByText('Proves').last().waitFor()
    await choice.waitFor({ state: 'detached' })
    const { test_scenarios } = await world.ok('get_spec', { spec_id })
    expect(test_scenarios.map(({ tests }: { tests: string[] }) => tests)).toEqual([['takes it back'], ['wraps it']])
  })
})
