import { beforeAll, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { tile } from './support/board.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

/** The name of the field with the focus. */
const focused = `(() => {
  const { activeElement: field } = document
  return field.labels?.[0]?.textContent ?? field.getAttribute('aria-label') ?? field.tagName
})()`

describeInBrowser('dialogs and tabs', () => {
  const here = browsing()
  let scene: Scene
  let key: string

  beforeAll(async () => {
    scene = await Scene.on(here().world)
    key = await scene.boardKey()
  })

  test.each([
    ['a new agent', '/admin', 'New agent', 'Name'],
    ['a webhook', '/b/{board}/settings/webhooks', 'New webhook', 'URL'],
    ['a guideline, which is read first', '/b/{board}/settings/guidelines', 'New guideline', 'Title'],
    ['a spec', '/b/{board}/specs', 'New spec', 'Title'],
  ])('focus begins in the first field: %s', async (_, address, button, field) => {
    const page = await here().open(address.replace('{board}', key))
    await page.getByRole('button', { name: button }).click()
    await expect.poll(() => page.evaluate(focused)).toBe(field)
  })

  test('a question begins with the answer that does nothing, and a drawer with itself', async () => {
    const card = await scene.card({ title: 'Looked at' })
    const page = await here().open(`/b/${key}/board?q=Looked`)
    await tile(page, 'Looked at').click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('heading', { name: 'Looked at' }).waitFor()
    expect(await page.evaluate(focused)).toBe('DIALOG')
    await drawer.getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Cancel')
    await page.keyboard.press('Enter')
    expect(await here().world.ok('get_card', { card_id: card })).toMatchObject({ title: 'Looked at' })
  })

  test('keys that are a single character can be switched off, in this browser', async () => {
    const page = await here().open(`/b/${key}/board`)
    await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await sheet.getByRole('switch', { name: 'Single-key shortcuts' }).uncheck()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
    await page.keyboard.press('?')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    expect(await sheet.count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await sheet.getByRole('switch').check()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await sheet.waitFor()
  })

  test('Escape leaves the field first, then the dialog', async () => {
    const page = await here().open(`/b/${key}/specs`)
    await page.getByRole('button', { name: 'New spec' }).click()
    await expect.poll(() => page.evaluate(focused)).toBe('Title')
    await page.keyboard.press('Escape')
    expect(await page.evaluate(focused)).toBe('DIALOG')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('a secret that is shown once is left by its button alone', async () => {
    const page = await here().open('/admin')
    await page.getByRole('button', { name: 'New agent' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Shown once')
    await page.getByRole('button', { name: 'Create agent' }).click()
    const dialog = page.getByRole('dialog', { name: 'The key of Shown once' })
    await dialog.waitFor()
    await page.mouse.click(5, 5)
    for (let times = 0; times < 3; times++) await page.keyboard.press('Escape')
    await dialog.getByLabel('Key', { exact: true }).waitFor()
    expect(await dialog.getByRole('button', { name: 'Close' }).count()).toBe(0)
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  test('a tab is named after what it shows, its board, and how much waits', async () => {
    const { name, id } = await here().world.ok('get_board', { board_id: scene.boardId })
    const card = await scene.card({ title: 'Named in the tab' })
    const { ref } = await here().world.ok('get_card', { card_id: card })
    const page = await here().open(`/b/${key}/board`)
    const titled = (title: RegExp | string) => expect.poll(() => page.title()).toMatch(title)
    await titled(new RegExp(`^(\\(\\d+\\) )?Board · ${name} · Specboard$`))
    await page.goto(`${here().url}/b/${key}/cards/${ref}`)
    await titled(`${ref} Named in the tab · ${name} · Specboard`)
    const asker = await here().world.agent()
    await here().world.ok('grant_board_access', { board_id: id, agent_id: asker.id })
    const { counts } = await here().world.ok('list_my_inbox', {})
    const waiting = Object.values(counts).reduce((sum: number, count) => sum + Number(count), 0)
    await here().world.ok('ask_card_question', { card_id: card, question: 'Does it count?' }, { as: asker })
    await titled(new RegExp(`^\\(${waiting + 1}\\) `))
    const other = await page.context().newPage()
    await other.goto(`${here().url}/admin`)
    await expect.poll(() => other.title()).toBe(`(${waiting + 1}) Admin · Specboard`)
  })
})
