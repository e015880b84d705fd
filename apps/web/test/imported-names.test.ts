/** Names that imports left in records: merged by choice, kept apart, and taken back (people 1.6). */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import type { TestAgent } from '../../cli/test/support/world.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser, phone } from './support/browser.ts'

describeInBrowser('imported names', () => {
  const here = browsing()
  let scene: Scene
  let key: string
  let ada: TestAgent
  let card: string

  beforeAll(async () => {
    scene = await Scene.on(here().world)
    key = await scene.boardKey()
    ada = await here().world.agent({ name: 'Ada Lovelace' })
    await scene.admit(ada)
    card = await scene.card({ assignee_id: 'external:ada lovelace' })
    await scene.card({ assignee_id: 'Grace' })
  })

  const names = (page: Page) => page.getByRole('table', { name: 'Imported names' })
  const row = (page: Page, name: string) => names(page).getByRole('row', { name })
  const open = (looks = {}) => here().open(`/b/${key}/settings/people`, looks)
  const assignee = async () => (await here().world.ok('get_card', { card_id: card })).assignee_id

  test('one is merged into who is called the same, with what it was assigned, and taken back', async () => {
    const page = await open()
    await row(page, 'ada lovelace').getByRole('button', { name: 'Is ada lovelace Ada Lovelace?' }).click()
    const dialog = page.getByRole('dialog', { name: 'Merge ada lovelace into Ada Lovelace?' })
    await dialog.getByLabel('Also assign its record to Ada Lovelace').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await dialog.getByLabel('Also assign its record to Ada Lovelace').uncheck()
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await dialog.waitFor({ state: 'detached' })
    const undo = row(page, 'ada lovelace').getByRole('button', { name: 'Undo what was said about ada lovelace' })
    await undo.waitFor()
    expect(await assignee()).toBe('external:ada lovelace')
    await undo.click()
    await row(page, 'ada lovelace').getByRole('button', { name: 'Is ada lovelace Ada Lovelace?' }).click()
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await dialog.waitFor({ state: 'detached' })
    // Nothing names it any more.
    await names(page).getByRole('rowheader', { name: 'ada lovelace' }).waitFor({ state: 'detached' })
    expect(await assignee()).toBe(ada.id)
  })

  test('one is merged into anybody by keyboard, and another kept apart', async () => {
    await scene.card({ assignee_id: 'Grace H.' })
    const page = await open()
    await page.getByRole('button', { name: 'Merge Grace H.', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Merge Grace H. into' }).fill('grace')
    await page.getByRole('option', { name: 'Grace (external)' }).waitFor()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Merge Grace H. into Grace (external)?' })
    await dialog.getByLabel('Also assign its record').uncheck()
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo what was said about Grace H.' }).waitFor()
    await page.getByRole('button', { name: 'Keep Grace apart' }).click()
    await row(page, 'Grace ').getByText('Somebody else').waitFor()
    await page.reload()
    await row(page, 'Grace ').getByText('Somebody else').waitFor()
  })

  test('they are read on a phone', async () => {
    const page = await open(phone)
    await page.getByRole('heading', { name: /^Imported names/ }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })
})
