import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

/** The scripts that a page has asked for, with their compressed sizes in bytes. */
const scriptsOf = (page: Page) =>
  page.evaluate<{ name: string; bytes: number }[]>(`performance
    .getEntriesByType('resource')
    .filter(({ name }) => name.endsWith('.js'))
    .map(({ name, encodedBodySize }) => ({ name, bytes: encodedBodySize }))`)

const kilobytes = (scripts: readonly { readonly bytes: number }[]) =>
  scripts.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000

describeInBrowser('the first load', () => {
  const here = browsing()

  test('of the board is at most 190 kB of script in 15 requests', async () => {
    const scene = await Scene.on(here().world)
    await scene.card({ title: 'First' })
    const page = await here().open(`/b/${await scene.boardKey()}/board`)
    await page.locator('.tile').first().waitFor()
    const scripts = await scriptsOf(page)
    expect(scripts.length).toBeGreaterThan(1)
    expect(scripts.length).toBeLessThanOrEqual(15)
    expect(kilobytes(scripts)).toBeLessThanOrEqual(190)
  })

  test('of the form to sign in is at most 60 kB, without what the board is made with', async () => {
    const page = await here().visit('/b/ANY/board')
    await page.getByLabel('API key').waitFor()
    const scripts = await scriptsOf(page)
    expect(scripts.length).toBeLessThanOrEqual(3)
    expect(kilobytes(scripts)).toBeLessThanOrEqual(60)
    expect(scripts.filter(({ name }) => name.includes('/app-'))).toEqual([])
  })

  test('of the inbox is no larger than that of the board', async () => {
    await Scene.on(here().world)
    const page = await here().open('/')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    const scripts = await scriptsOf(page)
    expect(scripts.length).toBeLessThanOrEqual(15)
    expect(kilobytes(scripts)).toBeLessThanOrEqual(190)
  })
})
