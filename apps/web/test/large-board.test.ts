import { expect, test } from 'vitest'
import { browsing, describeInBrowser } from './support/browser.ts'

const cards = 2_000

describeInBrowser(`a board with ${cards} cards`, () => {
  const here = browsing()

  test('draws only the tiles on the screen, and finds each of them', async () => {
    const titles = Array.from({ length: cards }, (_, index) => `Card ${index},To Do`)
    const file = new File([['title,status', ...titles].join('\n')], 'cards.csv', { type: 'text/csv' })
    const { key } = await here().world.ok('import_board', { file, name: 'Large' })
    const page = await here().open(`/b/${key}/board`)
    await page.locator('.tile').first().waitFor()
    expect(await page.locator('.tile').count()).toBeLessThan(40)
    const column = page.locator('[data-column="not_started"]')
    await column.evaluate(element => element.scrollTo(0, element.scrollHeight))
    await page.locator(`.tile[data-index="${cards - 1}"]`).waitFor()
    expect(await page.locator('.tile').count()).toBeLessThan(60)
    await page.getByLabel('Filter by words or reference').fill('card 1999')
    await page.getByRole('link', { name: 'Card 1999' }).waitFor()
    // One has the number in its title, another in its reference.
    await expect.poll(() => page.locator('.tile').count()).toBeLessThanOrEqual(2)
  })

  test('as a list draws only the rows on the screen, and finds each of them', async () => {
    const titles = Array.from({ length: cards }, (_, index) => `Row ${index},To Do`)
    const file = new File([['title,status', ...titles].join('\n')], 'rows.csv', { type: 'text/csv' })
    const { key } = await here().world.ok('import_board', { file, name: 'Long' })
    const page = await here().open(`/b/${key}/list?group=none`)
    const rows = page.locator('[data-row]')
    await rows.first().waitFor()
    expect(await rows.count()).toBeLessThan(80)
    await page.locator('.records-scroll').evaluate(element => element.scrollTo(0, element.scrollHeight))
    await page.locator(`[data-row][data-index="${cards - 1}"]`).waitFor()
    expect(await rows.count()).toBeLessThan(80)
    await page.getByLabel('Filter by words or reference').fill('row 1999')
    await page.getByRole('link', { name: 'Row 1999' }).waitFor()
    await expect.poll(() => rows.count()).toBeLessThanOrEqual(2)
  })
})
