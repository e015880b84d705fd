/**
 * Measures the web board in a real browser for `pnpm bench --web`: the script of the first load, the time until a board
 * of 2,000 cards takes input, filtering it, scrolling it, and the time until a change in the service appears on
 * somebody else's screen. Besides elapsed time, it reports the CPU time of the page's main thread, which is the better
 * figure on a shared machine.
 */
import { builtSite } from '@specboard/web'
import { chromium, type Page } from 'playwright-core'
import type { Lab } from '../../../tools/lab/harness/lab.ts'
import { p50 } from '../../../tools/lab/harness/statistics.ts'
import { browserPath } from '../test/support/browser-path.ts'
import { traced } from './trace.ts'

/** Measures everything on a board of `cards` cards; each figure is the median of `rounds` rounds. */
export async function reportWeb(
  lab: Lab,
  { cards, rounds }: { readonly cards: number; readonly rounds: number },
): Promise<void> {
  await builtSite()
  const { client, url, key } = await lab.start()
  const browser = await chromium.launch({ executablePath: browserPath!, args: ['--disable-dev-shm-usage'] })
  lab.atEnd(() => browser.close())
  const file = new File([cardsFile(cards)], 'cards.csv', { type: 'text/csv' })
  const { board_id, key: boardKey } = await client.importBoard({ file, name: 'Two thousand' })
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  await signIn(page, url, key!)
  const board = `${url}/b/${boardKey}/board`
  const repeated = async <Value>(measure: (round: number) => Promise<Value>): Promise<Value[]> => {
    const values: Value[] = []
    for (let round = 0; round < rounds; round++) values.push(await measure(round))
    return values
  }
  const row = lab.report.table(`medians of ${rounds} rounds`.padEnd(60), 'clock ms', 'processor ms')
  const show = (name: string, took: readonly Took[]) =>
    row(name, p50(took.map(([clock]) => clock)), p50(took.map(([, processor]) => processor)))
  lab.report.figure('script of the first load, gzip', { kB: (await scriptOf(page, board)) / 1_000 })
  show(`${cards} cards on the screen and usable`, await repeated(() => timed(page, () => openBoard(page, board))))
  show(
    'a filter by words, until it is painted',
    await repeated(round => timed(page, () => filter(page, `card ${100 + round}`), clearFilter)),
  )
  show('longest task while scrolling', await repeated(() => longestTask(page)))
  const list = `${url}/b/${boardKey}/list?group=none`
  show(
    `${cards} rows of the list, on the screen and usable`,
    await repeated(() => timed(page, () => openList(page, list))),
  )
  show(
    'a filter by words on the list, until it is painted',
    await repeated(round => timed(page, () => filter(page, `card ${100 + round}`), clearListFilter)),
  )
  show('longest task while scrolling the list', await repeated(() => longestTaskOfList(page)))
  lab.report.figure('heap of the list', { MB: (await heapOf(page)) / 1_000_000 })
  await openBoard(page, board)
  const [card] = (await client.listCards({ board_id: board_id!, limit: 1 })).items
  const durations = await repeated(round => {
    const title = `Changed ${round}`
    return timeToScreen(page, title, () => client.updateCard({ card_id: card!.id, title }))
  })
  row('from the answer of a change to the screen of somebody else', p50(durations))
}

const statuses = ['To Do', 'To Do', 'To Do', 'In Progress', 'Done']
const priorities = ['critical', 'high', 'medium', 'low']

/** A file of cards with everything from an import that a tile shows. */
function cardsFile(cards: number): string {
  const rows = Array.from({ length: cards }, (_, index) =>
    [
      `Card ${index} with a title that takes two lines`,
      statuses[index % statuses.length],
      `"label-${index % 10}, area-${index % 7}"`,
      priorities[index % priorities.length],
      `2026-0${1 + (index % 9)}-11`,
    ].join(),
  )
  return ['title,status,labels,priority,due date', ...rows].join('\n')
}

/** How long something took, ms: elapsed time, and CPU time of the page's main thread. */
type Took = readonly [clock: number, processor: number]

/** Measures `run`, which returns the elapsed time itself. */
async function timed(page: Page, run: () => Promise<number>, after?: (page: Page) => Promise<void>): Promise<Took> {
  let clock = 0
  const { cpu } = await traced(page, async () => {
    clock = await run()
  })
  await after?.(page)
  return [clock, cpu]
}

async function signIn(page: Page, url: string, key: string): Promise<void> {
  await page.goto(url)
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
}

/** The bytes of compressed script received by the time the first card is on the screen. */
async function scriptOf(page: Page, board: string): Promise<number> {
  await page.goto(board)
  await page.locator('.tile').first().waitFor()
  const bytes = await page.evaluate(`performance.getEntriesByType('resource')
    .filter(({ name }) => name.endsWith('.js'))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`)
  return Number(bytes)
}

/** Opens the board; returns the time from the start of the load until its first card responds to a click, ms. */
async function openBoard(page: Page, board: string): Promise<number> {
  await page.goto(board, { waitUntil: 'commit' })
  await page.locator('.tile').first().waitFor()
  await page.locator('.tile .tile-select').first().click()
  await page.locator('.tile.selected').first().waitFor()
  return Number(await page.evaluate('performance.now()'))
}

/**
 * Filters the board; returns the time from the change of the filter text until the browser has painted the result, ms.
 */
async function filter(page: Page, words: string): Promise<number> {
  const took = await page.evaluate(`new Promise(resolve => {
    const input = document.querySelector('[name="q"]')
    const count = document.querySelector('.filter-bar .board-count')
    const begin = performance.now()
    new MutationObserver((_, observer) => {
      observer.disconnect()
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begin)))
    }).observe(count, { characterData: true, childList: true, subtree: true })
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, ${JSON.stringify(words)})
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })`)
  return Number(took)
}

async function clearFilter(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.locator('.tile[data-index="4"]').first().waitFor()
}

/** The longest task of the page while its longest column is scrolled with the wheel from top to bottom. */
async function longestTask(page: Page): Promise<Took> {
  const column = page.locator('[data-column="not_started"]')
  await column.evaluate(element => element.scrollTo(0, 0))
  await column.locator('.tile[data-index="0"]').waitFor()
  const { x, y, width, height } = (await column.boundingBox())!
  await page.mouse.move(x + width / 2, y + height / 2)
  const last = column.locator(`.tile[data-index="${Number(await column.getAttribute('data-count')) - 1}"]`)
  const { tasks } = await traced(page, async () => {
    while ((await last.count()) === 0) for (let turn = 0; turn < 10; turn++) await page.mouse.wheel(0, 700)
  })
  return [Math.max(...tasks.map(({ wall }) => wall)), Math.max(...tasks.map(({ cpu }) => cpu))]
}

/** Opens the list; returns the time from the start of the load until its first row responds to a click, ms. */
async function openList(page: Page, list: string): Promise<number> {
  await page.goto(list, { waitUntil: 'commit' })
  await page.locator('[data-row] input[type="checkbox"]').first().click()
  await page.locator('[data-row].selected').first().waitFor()
  return Number(await page.evaluate('performance.now()'))
}

async function clearListFilter(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.locator('[data-row][data-index="4"]').waitFor()
}

/** The longest task of the page while its list is scrolled with the wheel from top to bottom. */
async function longestTaskOfList(page: Page): Promise<Took> {
  const table = page.locator('.records-scroll')
  await table.evaluate(element => element.scrollTo(0, 0))
  await table.locator('[data-index="0"]').waitFor()
  const { x, y, width, height } = (await table.boundingBox())!
  await page.mouse.move(x + width / 2, y + height / 2)
  const last = table.locator(`[data-index="${Number(await table.locator('table').getAttribute('aria-rowcount')) - 2}"]`)
  const { tasks } = await traced(page, async () => {
    while ((await last.count()) === 0) for (let turn = 0; turn < 10; turn++) await page.mouse.wheel(0, 700)
  })
  return [Math.max(...tasks.map(({ wall }) => wall)), Math.max(...tasks.map(({ cpu }) => cpu))]
}

/** The size of a page's JavaScript heap after garbage collection, bytes. */
async function heapOf(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  await devtools.detach()
  return usedSize
}

/** The time from the answer of a call until its words are on the screen, ms. */
async function timeToScreen(page: Page, words: string, change: () => Promise<unknown>): Promise<number> {
  await page.locator('[data-column="not_started"]').evaluate(element => element.scrollTo(0, 0))
  const shownAt = page.evaluate(`new Promise(resolve => {
    new MutationObserver((_, observer) => {
      if (!document.body.textContent.includes(${JSON.stringify(words)})) return
      observer.disconnect()
      requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()))
    }).observe(document.body, { characterData: true, childList: true, subtree: true })
  })`)
  await change()
  const answered = performance.timeOrigin + performance.now()
  return Math.max(0, Number(await shownAt) - answered)
}
