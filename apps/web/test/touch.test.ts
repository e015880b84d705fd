import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { column, tile } from './support/board.ts'
import { browsing, describeInBrowser, phone } from './support/browser.ts'

interface Point {
  readonly x: number
  readonly y: number
}

/** Moves a finger over the screen; the browser makes of it what it makes of a hand's. */
async function swipe(page: Page, from: Point, to: Point): Promise<void> {
  const touch = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints })
  await send('touchStart', [from])
  const steps = 12
  for (let step = 1; step <= steps; step++) {
    const part = step / steps
    await send('touchMove', [{ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }])
  }
  await send('touchEnd', [])
  await touch.detach()
}

async function middleOf(element: Locator): Promise<Point> {
  const { x, y, width, height } = (await element.boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}

describeInBrowser('with a finger', () => {
  const here = browsing()
  let scene: Scene
  let key: string

  beforeAll(async () => {
    scene = await Scene.on(here().world)
    key = await scene.boardKey()
    for (let number = 1; number <= 14; number++) await scene.workableCard({ title: `Card number ${number}` })
  })

  const openBoard = async (): Promise<Page> => {
    const page = await here().open(`/b/${key}/board`, phone)
    await tile(page, 'Card number 1').first().waitFor()
    return page
  }

  test('a text and its Edit stand on one line', async () => {
    const card_id = await scene.workableCard({ title: 'Card with a text', description: 'One line.' })
    const { ref } = await here().world.ok('get_card', { card_id })
    const page = await here().open(`/b/${key}/cards/${ref}`, phone)
    const edit = page.locator('.card-text').getByRole('button')
    const text = page.getByText('One line.')
    await edit.waitFor()
    expect(Math.abs((await middleOf(edit)).y - (await middleOf(text)).y)).toBeLessThanOrEqual(2)
  })

  test('a table of many columns is a list, with the label of each cell', async () => {
    const page = await here().open('/admin/people', phone)
    const row = page.getByRole('table', { name: 'People' }).getByRole('row').nth(1)
    await row.waitFor()
    const lefts = await row.getByRole('cell').evaluateAll(cells => cells.map(cell => cell.getBoundingClientRect().left))
    expect(new Set(lefts).size).toBe(1)
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  })

  test('a card is opened, moved by its menu, and reported', async () => {
    const page = await openBoard()
    const moved = tile(page, 'Card number 2')
    await moved.tap()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('heading', { name: 'Card number 2' }).waitFor()
    await drawer.getByRole('button', { name: 'Close' }).tap()
    await moved.getByRole('button', { name: /^Move to/ }).tap()
    await page.getByRole('menuitem', { name: 'Started' }).tap()
    await column(page, 'started').getByText('Card number 2').waitFor()
    await column(page, 'started').scrollIntoViewIfNeeded()
    await moved.getByRole('button', { name: /^Move to/ }).tap()
    await page.getByRole('menuitem', { name: 'Validation' }).tap()
    const report = page.getByRole('dialog')
    await report.getByLabel('What was done').fill('Did it')
    await report.getByLabel('Why').first().fill('All of it is there')
    await report.getByLabel('Why').last().fill('Nothing else was done')
    await report.getByRole('button', { name: 'Move', exact: true }).tap()
    await column(page, 'validation').getByText('Card number 2').waitFor()
  })

  test('a column is scrolled, and the next one reached, without a drag', async () => {
    const page = await openBoard()
    const cards = column(page, 'not_started')
    const from = await middleOf(tile(page, 'Card number 5'))
    await swipe(page, from, { x: from.x, y: from.y - 260 })
    await expect.poll(() => cards.evaluate(element => element.scrollTop)).toBeGreaterThan(100)
    await swipe(page, { x: 300, y: 400 }, { x: 60, y: 400 })
    const board = page.locator('.lanes')
    await expect.poll(() => board.evaluate(element => element.scrollLeft)).toBeGreaterThan(100)
    expect(await page.locator('.tile.dragged, .column-note').count()).toBe(0)
    // A finger that rests would drag it about, as browsers of phones do, and could put it down nowhere.
    expect(await tile(page, 'Card number 5').getAttribute('draggable')).toBe('false')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})
