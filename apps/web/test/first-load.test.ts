import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

/** The compressed size of the scripts that a page has loaded, kB. */
const scripts = (page: Page) =>
  page.evaluate<number>(`performance
    .getEntriesByType('resource')
    .filter(({ name }) => name.endsWith('.js'))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000`)

describeInBrowser('the first load', () => {
  const here = browsing()

  test('of the board stays small', async () => {
    const scene = await Scene.on(here().world)
    await scene.card({ title: 'First' })
    const page = await here().open(`/b/${await scene.boardKey()}/board`)
    await page.locator('.tile').first().waitFor()
    expect(await scripts(page)).toBeLessThanOrEqual(190)
  })
})
