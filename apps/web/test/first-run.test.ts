import { expect, test } from 'vitest'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

describeInBrowser('a first visit', () => {
  const here = browsing()

  test('leads to a board to look around in', async () => {
    const page = await here().open('/')
    await page.getByRole('button', { name: 'Load the demo board' }).click()
    await page.getByText('Join both baskets').waitFor()
    await page.locator('.tile', { hasText: 'Join both baskets' }).getByTitle('0 of 2 scenarios passed').waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('leads through importing a board, which is then open', async () => {
    const page = await here().open('/')
    await page.getByRole('button', { name: 'Import a board' }).click()
    const csv = 'title,status\nBrought along,To Do\n'
    await page.getByLabel('File').setInputFiles({ name: 'tasks.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await page.getByText('This would be imported').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('link', { name: /^Open / }).click()
    await page.getByText('Brought along').waitFor()
  })
})
