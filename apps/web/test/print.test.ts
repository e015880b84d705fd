import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

/** More cards than a table or a column renders without scrolling. */
const cards = 90

/** Prints a page, and says how many elements of a kind it had on paper. */
async function printed(page: Page, selector: string): Promise<number> {
  // The page's own listeners run first: they render what is off the screen.
  await page.evaluate(`addEventListener('beforeprint', () => {
    document.body.dataset.printed = document.querySelectorAll(${JSON.stringify(selector)}).length
  }, { once: true })`)
  const pdf = await page.pdf({ format: 'A4' })
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  return Number(await page.locator('body').getAttribute('data-printed'))
}

/** Visible elements of a printed page that are only for interaction. */
const forHands =
  '.side, .bottom, .toasts, .button:not(.status-button), .edit-button, .chip-off, .tile-menu, .tile-select, main form'

/** Runs in the page: the scheme of its colours, and by how much it is wider than the paper. */
const onPaper = `({
  scheme: getComputedStyle(document.documentElement).colorScheme,
  tooWide: document.documentElement.scrollWidth - innerWidth,
})`

describeInBrowser('on paper', () => {
  const here = browsing()
  let addresses: readonly (readonly [path: string, shows: string])[]
  let large: string

  beforeAll(async () => {
    const { world } = here()
    const scene = await Scene.on(world)
    const key = await scene.boardKey()
    const spec_id = await scene.spec('approved', { title: 'Keep the basket', acceptance_criteria: ['Kept'] })
    const card_id = await scene.workableCard({ title: 'Join the baskets', labels: ['shop'], due_date: '2020-01-01' })
    const { sprint_id } = await scene.sprint('active')
    const files = [{ name: 'unit.tap', text: 'TAP version 14\n1..1\nnot ok 1 - takes back\n' }]
    const report = await world.ok('submit_test_report', { board_id: scene.boardId, files })
    const card = await world.ok('get_card', { card_id })
    const spec = await world.ok('get_spec', { spec_id })
    const sprint = await world.ok('update_sprint', { sprint_id, title: 'The first half' })
    addresses = [
      [`/b/${key}/list`, 'Join the baskets'],
      [`/b/${key}/board`, 'Join the baskets'],
      [`/b/${key}/specs`, 'Keep the basket'],
      [`/b/${key}/cards/${card.ref}`, 'Join the baskets'],
      [`/b/${key}/specs/${spec.ref}`, 'Keep the basket'],
      [`/b/${key}/sprints/${sprint.ref}`, 'The first half'],
      [`/b/${key}/reports/${report.id}`, 'takes back'],
    ]
    const rows = Array.from({ length: cards }, (_, index) => `Card ${index},To Do`)
    const file = new File([['title,status', ...rows].join('\n')], 'cards.csv', { type: 'text/csv' })
    large = (await world.ok('import_board', { file, name: 'Large' })).key
  })

  test('pages have what is read, without what is pressed, in light colours, as wide as the paper', async () => {
    const page = await here().open('/', { width: 718, height: 1_000, colorScheme: 'dark' })
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.emulateMedia({ media: 'print' })
    for (const [path, shows] of addresses) {
      await page.goto(here().url + path)
      await page.locator('main').getByText(shows).first().waitFor()
      expect([path, await page.locator(forHands).and(page.locator(':visible')).count()]).toEqual([path, 0])
      expect([path, await page.evaluate(onPaper)]).toEqual([path, { scheme: 'light', tooWide: 0 }])
    }
  })

  test('a list has all of its rows, none of them cut by the end of a page', async () => {
    const page = await here().open(`/b/${large}/list`)
    await page.locator('[data-row]').first().waitFor()
    expect(await page.locator('[data-row]').count()).toBeLessThan(cards)
    expect(await printed(page, '[data-row]')).toBe(cards)
    await expect.poll(() => page.locator('[data-row]').count()).toBeLessThan(cards)
    await page.emulateMedia({ media: 'print' })
    const breaks = "getComputedStyle(document.querySelector('[data-row]')).breakInside"
    expect(await page.evaluate(breaks)).toBe('avoid')
  })

  test('a board has all of its cards', async () => {
    const page = await here().open(`/b/${large}/board`)
    await page.locator('.tile').first().waitFor()
    expect(await page.locator('.tile').count()).toBeLessThan(cards)
    expect(await printed(page, '.tile')).toBe(cards)
    await expect.poll(() => page.locator('.tile').count()).toBeLessThan(cards)
  })

  test('a report that is not read to its end says how much is missing', async () => {
    const { world } = here()
    const scene = await Scene.on(world)
    const failed = Array.from({ length: 60 }, (_, index) => `not ok ${index + 1} - test ${index}`)
    const files = [{ name: 'unit.tap', text: ['TAP version 14', '1..60', ...failed, ''].join('\n') }]
    const report = await world.ok('submit_test_report', { board_id: scene.boardId, files })
    const page = await here().open(`/b/${await scene.boardKey()}/reports/${report.id}`)
    const missing = page.getByText('10 more rows are not printed.')
    await page.getByRole('button', { name: 'More failing tests' }).waitFor()
    expect(await missing.isVisible()).toBe(false)
    await page.emulateMedia({ media: 'print' })
    await missing.waitFor()
    await page.emulateMedia({ media: 'screen' })
    await page.getByRole('button', { name: 'More failing tests' }).click()
    await missing.waitFor({ state: 'detached' })
  })

  test('the properties of a card are unfolded', async () => {
    const page = await here().open(addresses[3]![0])
    await page.getByRole('heading', { name: 'Join the baskets' }).waitFor()
    expect(await printed(page, 'details.folded-part')).toBe(0)
  })
})
