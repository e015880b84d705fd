import { beforeAll, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { column, drag, lift, tile } from './support/board.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

/** Presses both keys before the page is drawn again. */
const arrowAndMenuKey = `for (const key of ['ArrowDown', 'm'])
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))`

describeInBrowser('the board', () => {
  const here = browsing()
  let scene: Scene
  let path: string

  beforeAll(async () => {
    scene = await Scene.on(here().world)
    const key = await scene.boardKey()
    path = `/b/${key}/board`
  })

  const open = async (query = '', looks = {}) => {
    const page = await here().open(path + query, looks)
    await page.locator('.column').first().waitFor()
    return page
  }

  /** Somebody with access to the board who may not move its cards. */
  const whoMayNotMove = async () => {
    const { world } = here()
    const agent = await world.agent({ permission_flags: { CARDS_MOVE: false } })
    await world.ok('grant_board_access', { board_id: scene.boardId, agent_id: agent.id })
    return agent
  }

  const statusOf = async (cardId: string) => (await here().world.ok('get_card', { card_id: cardId })).status

  test.each(['light', 'dark'] as const)('axe finds nothing serious, %s', async colorScheme => {
    await scene.card({ title: `Seen in ${colorScheme}`, labels: ['look'], due_date: '2020-01-01' })
    const page = await open('', { colorScheme })
    await tile(page, `Seen in ${colorScheme}`).waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('a card is moved with the mouse, another browser sees it, and Undo takes it back', async () => {
    const id = await scene.workableCard({ title: 'Dragged' })
    const [page, other] = [await open(), await open()]
    await column(other, 'not_started').getByText('Dragged').waitFor()
    await drag(page, 'Dragged', 'started')
    await column(other, 'started').getByText('Dragged').waitFor()
    expect(await statusOf(id)).toBe('started')
    await page.getByRole('button', { name: 'Undo' }).click()
    await column(other, 'not_started').getByText('Dragged').waitFor()
  })

  test('a refused move explains itself and moves nothing', async () => {
    const id = await scene.workableCard({ title: 'Waiting' })
    const blocker = await scene.card({ title: 'The blocker' })
    await here().world.ok('add_card_dependency', { card_id: id, depends_on_id: blocker })
    const page = await open()
    await tile(page, 'Waiting').hover()
    await tile(page, 'Waiting').getByRole('button', { name: 'Move to…' }).click()
    await page.getByRole('menuitem', { name: 'Started' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The blocker').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    expect(await statusOf(id)).toBe('not_started')
    await column(page, 'not_started').getByText('Waiting', { exact: true }).waitFor()
  })

  test('a drop that gates refuse shows what opens each, and goes on once they are open', async () => {
    const spec_id = await scene.spec('in_progress')
    await scene.sprint('active', { spec_id })
    const id = await scene.card({ title: 'Dropped early', spec_id })
    const blocker = await scene.workableCard({ title: 'In its way' })
    await here().world.ok('add_card_dependency', { card_id: id, depends_on_id: blocker })
    const page = await open('?q=Dropped')
    await drag(page, 'Dropped early', 'started')
    const dialog = page.getByRole('dialog', { name: /cannot move to Started yet/ })
    await dialog.getByText('In its way').waitFor()
    expect(await dialog.locator('.refusal').count()).toBe(2)
    await dialog.getByRole('link', { name: 'Open the card' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await here().world.ok('move_card', { card_id: blocker, target_status: 'cancelled' })
    await dialog.getByText('In its way').waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Add it to the sprint' }).click()
    const free = page.getByRole('dialog', { name: /can move to Started now/ })
    await free.getByRole('button', { name: 'Move' }).click()
    await column(page, 'started').getByText('Dropped early').waitFor()
    await expect.poll(() => statusOf(id)).toBe('started')
  })

  test('before a click, the menu and the columns of a drag name who may make a forbidden move', async () => {
    await scene.workableCard({ title: 'Not yours' })
    const reader = await whoMayNotMove()
    const page = await here().open(`${path}?q=Not yours`, {}, reader)
    await tile(page, 'Not yours').hover()
    await tile(page, 'Not yours').getByRole('button', { name: 'Move to…' }).click()
    const item = page.getByRole('menuitem', { name: 'Started' })
    await item.getByText('You may not move cards (CARDS_MOVE). Allowed for Local Owner').waitFor()
    await page.keyboard.press('Escape')
    await lift(page, 'Not yours')
    const refused = page.locator('.column.refused', { has: column(page, 'started') })
    expect(await refused.locator('.refused-note').textContent()).toContain('Allowed for Local Owner')
    await page.mouse.up()
  })

  test('a click anywhere on a card opens it; with Ctrl, its link opens elsewhere', async () => {
    await scene.card({ title: 'Opened anywhere' })
    const page = await open('?q=Opened')
    await tile(page, 'Opened anywhere').click({ position: { x: 4, y: 4 } })
    await page.getByRole('dialog').getByRole('heading', { name: 'Opened anywhere' }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    const [elsewhere] = await Promise.all([
      page.context().waitForEvent('page'),
      tile(page, 'Opened anywhere')
        .getByRole('link')
        .click({ modifiers: ['Control'] }),
    ])
    await elsewhere.getByRole('heading', { name: 'Opened anywhere' }).waitFor()
    expect(elsewhere.url()).toMatch(/\/cards\/[A-Z]+\d*-\d+$/)
  })

  test('who may not move a card is told who may', async () => {
    const id = await scene.workableCard({ title: 'Out of reach' })
    const reader = await whoMayNotMove()
    const page = await here().open(`${path}?q=Out`, {}, reader)
    await tile(page, 'Out of reach').hover()
    await tile(page, 'Out of reach').getByRole('button', { name: 'Move to…' }).click()
    const item = page.getByRole('menuitem', { name: 'Started' })
    await item.getByText('Allowed for Local Owner').waitFor()
    await item.click({ force: true })
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('Escape')
    await drag(page, 'Out of reach', 'started')
    await page.getByRole('dialog').getByText('Allowed for Local Owner').waitFor()
    expect(await statusOf(id)).toBe('not_started')
  })

  test('while a card is dragged, columns that it may not enter say why', async () => {
    const id = await scene.workableCard({ title: 'Held back' })
    const blocker = await scene.card({ title: 'Another blocker' })
    await here().world.ok('add_card_dependency', { card_id: id, depends_on_id: blocker })
    const page = await open('?q=Held')
    await lift(page, 'Held back')
    const refused = page.locator('.column.refused', { has: column(page, 'started') })
    expect(await refused.locator('.refused-note').textContent()).toContain('waits for')
    await page.mouse.up()
  })

  test('a card is moved, reported and validated by keyboard alone', async () => {
    const id = await scene.workableCard({ title: 'Keyed' })
    const page = await open('?q=Keyed')
    await tile(page, 'Keyed').waitFor()
    const moveTo = async (name: string, status: string) => {
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('m')
      await page.getByRole('menuitem', { name }).waitFor()
      await page.keyboard.type(name[0]!)
      await page.keyboard.press('Enter')
      if (status !== 'validation') await column(page, status).getByText('Keyed').waitFor()
    }
    await moveTo('Started', 'started')
    await moveTo('Validation', 'validation')
    await page.getByLabel('What was done').waitFor()
    await page.keyboard.press('Tab')
    await page.getByLabel('What was done').focus()
    await page.keyboard.type('All of it')
    for (const field of await page.getByLabel('Why').all()) {
      await field.focus()
      await page.keyboard.type('Because')
    }
    await page.getByRole('button', { name: 'Move', exact: true }).focus()
    await page.keyboard.press('Enter')
    await column(page, 'validation').getByText('Keyed').waitFor()
    await expect.poll(() => statusOf(id)).toBe('validation')
  })

  test('what may be done after a move that is under way is read after it', async () => {
    const id = await scene.workableCard({ title: 'Slowly moved' })
    const page = await open('?q=Slowly')
    await page.route('**/cards/*/move', async route => {
      await new Promise(resolve => setTimeout(resolve, 500))
      await route.continue()
    })
    await drag(page, 'Slowly moved', 'started')
    await column(page, 'started').getByText('Slowly moved').waitFor()
    expect(await statusOf(id)).toBe('not_started')
    await tile(page, 'Slowly moved').hover()
    await tile(page, 'Slowly moved').getByRole('button', { name: 'Move to…' }).click()
    await page.getByRole('menuitem', { name: 'Validation' }).click()
    await page.getByLabel('What was done').waitFor()
  })

  test('a menu that a key opens right after an arrow keeps the focus', async () => {
    await scene.card({ title: 'Reached and moved' })
    const page = await open('?q=Reached')
    await tile(page, 'Reached and moved').waitFor()
    const openMenu = () => page.evaluate(arrowAndMenuKey)
    await openMenu()
    await page.getByRole('menuitem', { name: 'On hold' }).waitFor()
    await page.keyboard.press('Escape')
    await openMenu()
    await page.evaluate('new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
    expect(await page.evaluate('document.activeElement.role')).toBe('menuitem')
  })

  test('filters stand in the address and leave what matches', async () => {
    await scene.card({ title: 'Alpha', priority: 'critical' })
    await scene.card({ title: 'Beta' })
    const page = await open()
    await page.getByLabel('Filter by words or reference').fill('alpha')
    await tile(page, 'Beta').waitFor({ state: 'detached' })
    await tile(page, 'Alpha').waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('?q=alpha')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await tile(page, 'Beta').waitFor()
    expect(await page.getByLabel('Filter by words or reference').inputValue()).toBe('')
    await page.goBack()
    await tile(page, 'Beta').waitFor({ state: 'detached' })
    expect(await page.getByLabel('Filter by words or reference').inputValue()).toBe('alpha')
  })

  test('a card is added in a column', async () => {
    await scene.spec('approved', { title: 'Takes cards' })
    const page = await open()
    await page.getByRole('button', { name: 'Add a card to Not started' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Added here')
    await page.keyboard.press('Enter')
    await tile(page, 'Added here').waitFor()
  })

  test('several cards get a label at once, and Undo takes it back', async () => {
    const ids = [await scene.card({ title: 'Together 1' }), await scene.card({ title: 'Together 2' })]
    const labels = async () =>
      Promise.all(ids.map(async card_id => (await here().world.ok('get_card', { card_id })).labels ?? []))
    const page = await open('?q=Together')
    for (const title of ['Together 1', 'Together 2']) await tile(page, title).getByRole('checkbox').check()
    await page.getByLabel('Add label…').fill('grouped')
    await page.keyboard.press('Enter')
    await expect.poll(labels).toEqual([['grouped'], ['grouped']])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(labels).toEqual([[], []])
  })

  test('what people wrote is shown as text', async () => {
    const { corpus } = await import('./support/hostile.ts')
    for (const [index, text] of corpus.entries())
      await scene.card({ title: `Hostile ${index} ${text}`, description: text, labels: [text.slice(0, 100)] })
    const page = await open('?q=Hostile')
    await tile(page, 'Hostile 0').waitFor()
    expect(await page.locator('.tile').count()).toBe(corpus.length)
    await tile(page, 'Hostile 0').getByRole('link').click()
    await page.locator('.card-view .markdown').waitFor()
    expect(await page.evaluate('window.attacked')).toBeUndefined()
    expect(await page.locator('.card-view :is(script, iframe, object, embed, svg[onload], img)').count()).toBe(0)
  })

  test('on a phone, one column fills the width and the navigation is at the bottom', async () => {
    await scene.card({ title: 'Carried' })
    const page = await open('', { width: 390, height: 844 })
    await page.getByRole('navigation').getByRole('link', { name: 'Board' }).waitFor()
    const { width } = (await page.locator('.column').first().boundingBox())!
    expect(width).toBeGreaterThan(300)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    expect(await seriousFindings(page)).toEqual([])
  })
})
