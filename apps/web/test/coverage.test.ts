import { beforeAll, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

describeInBrowser('spec coverage', () => {
  const here = browsing()
  let scene: Scene

  beforeAll(async () => {
    scene = await Scene.on(here().world)
  })

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('a gap is closed by linking a card, %s, %i wide', async (colorScheme, width) => {
    const spec_id = await scene.specWithScenarios(2, 'approved', { acceptance_criteria: ['It works'] })
    const card = await here().world.ok('get_card', { card_id: await scene.card({ spec_id, title: 'Do it' }) })
    const { ref } = await here().world.ok('get_spec', { spec_id })
    const page = await here().open(`/b/${ref.split('-')[0]}/coverage/${ref}`, { colorScheme, width })
    await page.getByText('0 of 2 covered').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page
      .getByRole('checkbox', { name: `Works: ${card.ref}` })
      .first()
      .click()
    await page.getByText('1 of 2 covered').waitFor()
    const spec = await here().world.ok('get_spec', { spec_id })
    expect(spec.test_scenarios?.[0]?.linked_task_ids).toEqual([card.id])
    await page
      .getByRole('checkbox', { name: `Works: ${card.ref}` })
      .first()
      .click()
    await page.getByText('0 of 2 covered').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  })
})
