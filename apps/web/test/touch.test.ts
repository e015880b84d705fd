import type { CDPSession, Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { column, tile } from './support/board.ts'
import { browsing, describeInBrowser, phone } from './support/browser.ts'

interface Point {
  readonly x: number
  readonly y: number
}

/** A finger on a screen; the browser treats it like a real one. */
class Finger {
  readonly #touch: CDPSession
  #at: Point = { x: 0, y: 0 }

  private constructor(touch: CDPSession) {
    this.#touch = touch
  }

  static async on(page: Page): Promise<Finger> {
    return new Finger(await page.context().newCDPSession(page))
  }

  async press(at: Point): Promise<void> {
    this.#at = at
    await this.#touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] })
  }

  async moveTo({ x, y }: Point): Promise<void> {
    const from = this.#at
    const steps = 12
    for (let step = 1; step <= steps; step++) {
      const part = step / steps
      this.#at = { x: from.x + (x - from.x) * part, y: from.y + (y - from.y) * part }
      await this.#touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [this.#at] })
    }
  }

  async lift(): Promise<void> {
    await this.#touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
}

async function swipe(page: Page, from: Point, to: Point): Promise<void> {
  const finger = await Finger.on(page)
  await finger.press(from)
  await finger.moveTo(to)
  await finger.lift()
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
    // While the text is drawn, one of them may have no box yet.
    await expect.poll(async () => Math.abs((await middleOf(edit)).y - (await middleOf(text)).y)).toBeLessThanOrEqual(2)
  })

  test('a table of many columns is a list, with the label of each cell', async () => {
    const page = await here().open('/admin/people', phone)
    const row = page.getByRole('table', { name: 'People' }).getByRole('row').nth(1)
    await row.waitFor()
    const cells = row.getByRole('cell')
    const lefts = await cells.evaluateAll(found => found.map(cell => cell.getBoundingClientRect().left))
    // The actions are next to the name, on the right.
    expect(new Set(lefts.slice(0, -1)).size).toBe(1)
    const head = (await row.getByRole('rowheader').boundingBox())!
    const actions = (await cells.last().boundingBox())!
    expect(actions.x).toBeGreaterThan(lefts[0]!)
    expect(Math.abs(actions.y + actions.height / 2 - (head.y + head.height / 2))).toBeLessThanOrEqual(6)
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
    // Otherwise a resting finger would start a drag, as in browsers of phones, and could not drop the card anywhere.
    expect(await tile(page, 'Card number 5').getAttribute('draggable')).toBe('false')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  /** The titles of a column's cards that are on the screen, from top to bottom. */
  const titlesIn = (page: Page, status: string): Promise<string[]> =>
    column(page, status).locator('.slot .tile-title').allTextContents()

  /** Rests a finger on a card until it has taken the card up. */
  const takeUp = async (page: Page, title: string): Promise<Finger> => {
    const finger = await Finger.on(page)
    await finger.press(await middleOf(tile(page, title).first()))
    await page.locator('.tile.carried').waitFor()
    return finger
  }

  /** A board of its own with three cards. */
  const boardOfThree = async (): Promise<Page> => {
    const three = await Scene.on(here().world)
    for (const title of ['First', 'Second', 'Third']) await three.workableCard({ title })
    const page = await here().open(`/b/${await three.boardKey()}/board`, phone)
    await tile(page, 'Third').waitFor()
    return page
  }

  test('a card that a finger rests on is carried to another place in its column, and back by Undo', async () => {
    const page = await boardOfThree()
    const finger = await takeUp(page, 'Third')
    expect(await tile(page, 'Third').first().getAttribute('class')).toContain('dragged')
    const { x, y } = (await tile(page, 'First').boundingBox())!
    await finger.moveTo({ x: x + 60, y: y + 8 })
    await page.locator('.slot.insert-before', { hasText: 'First' }).waitFor()
    await finger.lift()
    await expect.poll(() => titlesIn(page, 'not_started')).toEqual(['Third', 'First', 'Second'])
    expect(await page.locator('.tile.carried, .tile.dragged, .insert-before').count()).toBe(0)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).tap()
    await expect.poll(() => titlesIn(page, 'not_started')).toEqual(['First', 'Second', 'Third'])
  })

  test('a card is carried to the tab of a column: dropped on it, or at a place in the column that it shows', async () => {
    const page = await boardOfThree()
    const tab = page.getByRole('navigation', { name: 'Columns' }).getByRole('button', { name: /^Started/ })

    let finger = await takeUp(page, 'Second')
    await finger.moveTo(await middleOf(tab))
    await page.locator('.drag-hint', { hasText: 'Started' }).waitFor()
    await finger.lift()
    await column(page, 'started').getByText('Second').waitFor()
    await page.getByRole('navigation', { name: 'Columns' }).getByRole('button').first().tap()
    const board = page.locator('.lanes')
    await expect.poll(() => board.evaluate(element => element.scrollLeft)).toBe(0)
    finger = await takeUp(page, 'First')
    await finger.moveTo(await middleOf(tab))
    await expect.poll(() => tab.getAttribute('aria-current')).toBe('true')
    const { x, y } = (await tile(page, 'Second').boundingBox())!
    await finger.moveTo({ x: Math.max(x, 0) + 60, y: y + 8 })
    await page.locator('.slot.insert-before', { hasText: 'Second' }).waitFor()
    await finger.lift()
    await expect.poll(() => titlesIn(page, 'started')).toEqual(['First', 'Second'])
  })

  test('a long column scrolls under a card that is carried to its edge', async () => {
    const page = await openBoard()
    const cards = column(page, 'not_started')
    const finger = await takeUp(page, 'Card number 3')
    const { x, y, height } = (await cards.boundingBox())!
    // The bar at the bottom of the screen covers no part of the board, whatever is shown above it.
    const bar = (await page.locator('.bottom').boundingBox())!
    expect(y + height).toBeLessThanOrEqual(bar.y)
    await finger.moveTo({ x: x + 80, y: y + height - 10 })
    const rest = () => cards.evaluate(element => element.scrollHeight - element.clientHeight - element.scrollTop)
    await expect.poll(rest).toBeLessThanOrEqual(1)
    await finger.lift()
    await expect.poll(async () => (await titlesIn(page, 'not_started')).at(-1)).toBe('Card number 3')
  })

  test('a card that is let go beside all columns stays where it was, and a tap still opens it', async () => {
    const page = await boardOfThree()
    const finger = await takeUp(page, 'First')
    await finger.moveTo({ x: 195, y: 20 })
    await finger.lift()
    await expect.poll(() => page.locator('.tile.carried, .tile.dragged').count()).toBe(0)
    expect(await titlesIn(page, 'not_started')).toEqual(['First', 'Second', 'Third'])
    expect(await page.getByRole('dialog').count()).toBe(0)
    await tile(page, 'First').tap()
    await page.getByRole('dialog').getByRole('heading', { name: 'First' }).waitFor()
  })
})
