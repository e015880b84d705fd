/** Where the focus is after navigation to a page (web 2). */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { browsing, describeInBrowser } from './support/browser.ts'

const focused = (page: Page) =>
  page.evaluate<string>('document.activeElement.tagName + " " + document.activeElement.textContent.slice(0, 40)')

describeInBrowser('going from page to page', () => {
  const here = browsing()

  async function opened(part: string): Promise<Page> {
    const { key } = await here().world.ok('create_board', { name: 'Shop', description: '' })
    return here().open(`/b/${key}/${part}`)
  }

  test('by a link or a key, the focus goes to the heading of the page', async () => {
    const page = await opened('list')
    await page.getByRole('heading', { name: 'List', level: 1 }).waitFor()
    expect(await focused(page)).toMatch(/^BODY/)
    await page.getByRole('link', { name: 'Activity', exact: true }).click()
    await expect.poll(() => focused(page)).toBe('H1 Activity')
    await page.keyboard.press('g')
    await page.keyboard.press('i')
    await expect.poll(() => focused(page)).toBe('H1 Inbox')
    await page.goBack()
    await expect.poll(() => focused(page)).toBe('H1 Activity')
  })

  test('from the palette too', async () => {
    const page = await opened('list')
    await page.getByRole('heading', { name: 'List', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('Activity')
    await page
      .getByRole('option', { name: /Activity/ })
      .first()
      .click()
    await expect.poll(() => focused(page)).toBe('H1 Activity')
  })

  test('from one part of a page to another too', async () => {
    const page = await opened('settings/webhooks')
    await page.getByRole('button', { name: 'New webhook' }).waitFor()
    await page.getByRole('link', { name: 'Repositories', exact: true }).click()
    await page.getByRole('button', { name: 'Connect a repository' }).first().waitFor()
    await expect.poll(() => focused(page)).toBe('H1 Settings')
  })
})
