/** References in texts: links to their records, with a card that says what they are. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser, phone } from './support/browser.ts'

describeInBrowser('references in texts', () => {
  const here = browsing()
  let scene: Scene
  let key: string

  beforeAll(async () => {
    scene = await Scene.on(here().world)
    key = await scene.boardKey()
  })

  const named = async (fields: Readonly<Record<string, unknown>>) =>
    here().world.ok('get_card', { card_id: await scene.card(fields) })

  const openText = async (description: string, looks = {}): Promise<Page> => {
    const { ref } = await named({ title: 'Names others', description })
    const page = await here().open(`/b/${key}/cards/${ref}`, looks)
    await page.locator('.markdown').first().waitFor()
    return page
  }

  const card = (page: Page) => page.getByRole('tooltip')

  test('lead to their record without loading the page again', async () => {
    const { ref } = await named({ title: 'Leads here' })
    const page = await openText(`After ${ref}, not \`${ref}\`.`)
    const link = page.locator('.markdown').getByRole('link', { name: ref })
    await link.waitFor()
    expect(await link.count()).toBe(1)
    await page.evaluate('window.isSamePage = true')
    await link.click()
    await page.getByRole('heading', { name: 'Leads here' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/b/${key}/cards/${ref}`)
    expect(await page.evaluate('window.isSamePage')).toBe(true)
    expect(await card(page).count()).toBe(0)
  })

  test.each(['light', 'dark'] as const)('say what it is while they are pointed at, %s', async colorScheme => {
    const name = `Ada Lovelace ${colorScheme}`
    const ada = await here().world.agent({ name })
    await scene.admit(ada)
    const { ref } = await named({ title: 'Is pointed at', assignee_id: ada.id })
    const page = await openText(`After ${ref}.`, { colorScheme })
    const link = page.getByRole('link', { name: ref })
    await link.hover()
    await card(page).waitFor()
    for (const says of ['Card', ref, 'Is pointed at', 'Not started', name])
      await card(page).getByText(says, { exact: true }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    // The pointer can rest on the card itself, which then stays open.
    await card(page).hover()
    await card(page).getByText('Is pointed at').hover()
    expect(await card(page).count()).toBe(1)
    await page.getByRole('heading', { level: 1 }).hover()
    await card(page).waitFor({ state: 'detached' })
  })

  test('say it with the focus too, until Escape, which closes nothing else', async () => {
    const { ref } = await named({ title: 'Is focused' })
    const holder = await named({ title: 'In the drawer', description: `After ${ref}.` })
    const page = await here().open(`/b/${key}/board`)
    await page.getByText('In the drawer').click()
    const drawer = page.getByRole('dialog')
    const link = drawer.getByRole('link', { name: ref })
    await link.waitFor()
    await page.keyboard.press('Tab')
    await link.focus()
    await card(page).getByText('Is focused').waitFor()
    expect(await link.getAttribute('aria-describedby')).toBe(await card(page).getAttribute('id'))
    await card(page).hover()
    await page.keyboard.press('Escape')
    await card(page).waitFor({ state: 'detached' })
    expect(await link.evaluate(element => element.matches(':focus'))).toBe(true)
    expect(await drawer.count()).toBe(1)
    expect(page.url()).toContain(holder.ref)
  })

  test('tell how far a spec is covered', async () => {
    const spec_id = await scene.specWithScenarios(1, 'in_progress', { acceptance_criteria: ['It works.'] })
    const { ref } = await here().world.ok('get_spec', { spec_id })
    const page = await openText(`Part of ${ref}.`)
    await page.getByRole('link', { name: ref }).hover()
    await card(page)
      .getByText(/\d of \d covered/)
      .waitFor()
  })

  test('that name nothing become plain text when they are looked at', async () => {
    const page = await openText(`After ${key}-99999, and OTHER-1.`)
    await page.getByRole('link', { name: `${key}-99999` }).hover()
    await page.locator('.markdown a:not([href])').waitFor()
    expect(await page.locator('.markdown').first().textContent()).toContain(`After ${key}-99999, and OTHER-1.`)
    expect(await card(page).count()).toBe(0)
  })

  test('are followed by a finger at once', async () => {
    const { ref } = await named({ title: 'Is pressed' })
    const page = await openText(`After ${ref}.`, phone)
    await page.getByRole('link', { name: ref }).tap()
    await page.getByRole('heading', { name: 'Is pressed' }).waitFor()
    expect(await card(page).count()).toBe(0)
  })

  test('are links in texts of one line too, and never in another link', async () => {
    const { ref } = await named({ title: 'Named in a line' })
    const title = `As ${ref}, but faster`
    const other = await named({ title })
    const linkIn = (page: Page, where: string) => page.locator(where).getByRole('link', { name: ref, exact: true })
    const page = await here().open(`/b/${key}/cards/${other.ref}`)
    const heading = linkIn(page, 'h1')
    await heading.hover()
    await card(page).getByText('Named in a line').waitFor()
    await page.evaluate('window.isSamePage = true')
    await heading.click()
    await page.getByRole('heading', { name: 'Named in a line' }).waitFor()
    expect(await page.evaluate('window.isSamePage')).toBe(true)
    await page.goto(`${here().url}/b/${key}/activity`)
    await linkIn(page, '.event').first().waitFor()
    expect(await page.locator('a a').count()).toBe(0)
    await page.goto(`${here().url}/b/${key}/board`)
    await page.getByRole('link', { name: title }).waitFor()
    expect(await page.locator('a a, button a').count()).toBe(0)
  })

  test('of a line that name nothing become plain text too', async () => {
    const { ref } = await named({ title: `Not ${key}-99999` })
    const page = await here().open(`/b/${key}/cards/${ref}`)
    await page.getByRole('link', { name: `${key}-99999` }).hover()
    await page.locator('h1 a:not([href])').waitFor()
    expect(await card(page).count()).toBe(0)
  })
})
