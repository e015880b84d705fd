import { expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

describeInBrowser('analytics', () => {
  const here = browsing()

  const open = async (looks = {}) => {
    const scene = await Scene.on(here().world)
    await scene.workableCard()
    const key = await scene.boardKey()
    const page = await here().open(`/b/${key}/analytics`, looks)
    await page.getByRole('region', { name: 'From idea to done' }).waitFor()
    await page.getByRole('region', { name: 'What holds the work up' }).waitFor()
    return page
  }

  test.each(['light', 'dark'] as const)('axe finds nothing serious, %s', async colorScheme => {
    const page = await open({ colorScheme })
    expect(await seriousFindings(page)).toEqual([])
  })

  test('a chart is shown as a table', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Show as a table: From idea to done' }).click()
    await page.getByRole('row', { name: 'Specs 1' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('a range of dates stands in the address and counts', async () => {
    const page = await open()
    await page.getByLabel('To', { exact: true }).fill('2020-01-01')
    await page.getByRole('button', { name: 'Show as a table: From idea to done' }).click()
    await page.getByRole('row', { name: 'Specs 0' }).waitFor()
    expect(page.url()).toContain('to=2020-01-01')
  })

  test('the figures leave as CSV', async () => {
    const page = await open()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/\.csv$/)
  })
})
