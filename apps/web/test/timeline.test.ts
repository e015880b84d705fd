import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser, phone } from './support/browser.ts'

/** The date of a day, counted from today. */
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Runs in the page: the labels of the axis that overlap the label of today. */
const underToday = `(() => {
  const boxOf = element => element.getBoundingClientRect()
  const today = boxOf(document.querySelector('.timeline-today-name'))
  return [...document.querySelectorAll('.timeline-below, .timeline-above > span')]
    .filter(element => {
      const { left, right, top, bottom } = boxOf(element)
      return left < today.right && right > today.left && top < today.bottom && bottom > today.top
    })
    .map(element => element.textContent)
})()`

/**
 * Runs in the page: scrolls through three months, and returns the names of months that begin under the column of row
 * names.
 */
const hiddenMonths = `[...Array(90).keys()].flatMap(step => {
  document.querySelector('.timeline-scroll').scrollLeft = step * 14
  const { right } = document.querySelector('.timeline-corner').getBoundingClientRect()
  return [...document.querySelectorAll('.timeline-above')]
    .filter(month => month.getBoundingClientRect().right > right + 8)
    .map(month => month.firstElementChild)
    .filter(name => name.getBoundingClientRect().left < right)
    .map(name => name.textContent + ' at ' + step * 14)
})`

describeInBrowser('the timeline of a board', () => {
  const here = browsing()

  /** Two sprints one after the other, one without dates, and two due cards that wait the wrong way round. */
  async function planned() {
    const scene = await Scene.on(here().world)
    const { world } = here()
    const spec_id = await scene.spec('validated')
    const board = { board_id: scene.boardId, spec_id }
    const first = await world.ok('create_sprint', {
      ...board,
      title: 'Dough',
      start_date: inDays(-4),
      end_date: inDays(5),
    })
    await world.ok('create_sprint', { ...board, title: 'Oven', start_date: inDays(6), end_date: inDays(15) })
    const undated = await world.ok('create_sprint', { ...board, title: 'Shop' })
    const late = await scene.card({ title: 'Stamp', due_date: inDays(-2) })
    const awaited = await scene.card({ title: 'Paper', due_date: inDays(9) })
    await world.ok('add_card_dependency', { card_id: late, depends_on_id: awaited })
    return { scene, key: await scene.boardKey(), first, undated, late, awaited }
  }

  const open = async (key: string, looks = {}): Promise<Page> => {
    const page = await here().open(`/b/${key}/timeline`, looks)
    await page.locator('.timeline-item').first().waitFor()
    return page
  }

  test('has specs, sprints and due cards, today, and what is planned out of order', async () => {
    const { key } = await planned()
    const page = await open(key)
    expect(await page.locator('.timeline-row').count()).toBe(7)
    expect(await page.locator('.timeline-due.late').count()).toBe(1)
    expect(await page.locator('.timeline-lines .link.odds').count()).toBe(1)
    await page.getByText(/comes before .* which it waits for/).waitFor()
    await page.locator('.timeline-today-name').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.keyboard.press('-')
    expect(page.url()).toContain('zoom=months')
    await page.getByRole('button', { name: 'Days', exact: true }).click()
    expect(page.url()).toContain('zoom=days')
    expect(await seriousFindings(page)).toEqual([])
  })

  test('today covers no date at any scale', async () => {
    const { key } = await planned()
    const page = await open(key)
    for (const scale of ['Days', 'Weeks', 'Months', 'Quarters']) {
      await page.getByRole('button', { name: scale, exact: true }).click()
      await page.getByRole('button', { name: scale, exact: true, pressed: true }).waitFor()
      expect([scale, await page.evaluate(underToday)]).toEqual([scale, []])
    }
  })

  test('dates are changed by dragging, with a way back', async () => {
    const { key, first } = await planned()
    const { world } = here()
    const page = await open(key)
    const bar = page.getByRole('link', { name: /Dough/ }).last()
    const { x, y, width } = (await bar.boundingBox())!
    const drag = async (from: number, by: number) => {
      await page.mouse.move(from, y + 10)
      await page.mouse.down()
      await page.mouse.move(from + by / 2, y + 10)
      await page.mouse.move(from + by, y + 10)
      await page.mouse.up()
    }
    // A day is 14 px at this scale.
    await drag(x + width / 2, 42)
    await page.getByText(`${first.ref}: `, { exact: false }).waitFor()
    const datesOf = async () => {
      const { start_date, end_date } = await world.ok('get_sprint', { sprint_id: first.id })
      return [start_date.slice(0, 10), end_date.slice(0, 10)]
    }
    expect(await datesOf()).toEqual([inDays(-1), inDays(8)])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(datesOf).toEqual([inDays(-4), inDays(5)])
    await expect.poll(async () => (await bar.boundingBox())!.x).toBe(x)
    await drag(x + width - 3, 28)
    await expect.poll(datesOf).toEqual([inDays(-4), inDays(7)])
    // It was dragged, not opened.
    expect(page.url()).toContain('/timeline')
  })

  test('dates are changed by keys: arrows move, Enter saves, Escape puts back, D opens a form', async () => {
    const { key, first, late } = await planned()
    const { world } = here()
    const page = await open(key)
    await page.getByRole('link', { name: /Dough/ }).last().focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Escape')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await page.getByText('Enter saves, Escape puts it back').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.keyboard.press('Enter')
    const sprint = () => world.ok('get_sprint', { sprint_id: first.id })
    await expect.poll(async () => (await sprint()).end_date.slice(0, 10)).toBe(inDays(7))
    expect((await sprint()).start_date.slice(0, 10)).toBe(inDays(-3))
    await page.getByRole('link', { name: /Stamp/ }).last().focus()
    await page.keyboard.press('d')
    await page.getByRole('dialog').getByRole('textbox', { name: 'Due' }).fill(inDays(20))
    expect(await seriousFindings(page)).toEqual([])
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => (await world.ok('get_card', { card_id: late })).due_date.slice(0, 10))
      .toBe(inDays(20))
    await page.getByText(/comes before/).waitFor({ state: 'detached' })
  })

  test('a sprint without dates is given some', async () => {
    const { key, undated } = await planned()
    const page = await open(key)
    await page.getByRole('button', { name: `Set dates of ${undated.ref}` }).click()
    await page.getByRole('textbox', { name: 'Starts' }).fill(inDays(1))
    const ends = page.getByRole('textbox', { name: 'Ends' })
    await ends.fill(inDays(0))
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page
      .getByRole('alert')
      .getByText(/or later\.$/)
      .waitFor()
    await ends.fill(inDays(4))
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /Shop/ }).last().waitFor()
    expect(await page.getByText('Without dates').count()).toBe(0)
  })

  test('who may not change dates sees why, and moves nothing', async () => {
    const { scene, key } = await planned()
    const { world } = here()
    const reader = await world.agent()
    await world.ok('create_board_share', { board_id: scene.boardId, user_id: reader.id, permission: 'viewer' })
    const page = await here().open(`/b/${key}/timeline`, {}, reader)
    const bar = page.getByRole('link', { name: /Dough/ }).last()
    await bar.waitFor()
    await expect.poll(() => page.locator('.timeline-item.movable').count()).toBe(0)
    expect(await bar.getAttribute('aria-description')).toContain('SPRINTS_')
    await bar.focus()
    await page.keyboard.press('ArrowRight')
    expect(await page.locator('.timeline-tip').count()).toBe(0)
  })

  test.each(['ltr', 'rtl'])('the name of a month stays beside the names of the rows, %s', async dir => {
    const { key } = await planned()
    const page = await open(key, phone)
    await page.evaluate(`document.documentElement.dir = "${dir}"`)
    expect(await page.evaluate(hiddenMonths)).toEqual([])
  })

  test('fits a phone, and says what belongs there when there is nothing', async () => {
    const { key } = await planned()
    const page = await open(key, phone)
    expect(await seriousFindings(page)).toEqual([])
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    const { height } = (await page.locator('.bar').boundingBox())!
    expect(height).toBeLessThan(56)
    await page.getByRole('button', { name: 'Display' }).tap()
    await page.getByRole('dialog').getByLabel('Scale').selectOption({ label: 'Months' })
    await page.getByRole('dialog').getByLabel('Show done').check()
    expect(await seriousFindings(page)).toEqual([])
    expect(page.url()).toMatch(/zoom=months&done=1$/)
    const empty = await Scene.on(here().world)
    await page.goto(`${here().url}/b/${await empty.boardKey()}/timeline`)
    await page.getByText('Nothing here has a date.').waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })
})
