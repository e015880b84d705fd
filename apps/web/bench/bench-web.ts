/**
 * Measures the web board in a real browser: the script of the first load, a board of 2,000 cards until it takes input, a
 * filter on it, scrolling, and the way of a change from the service to the screen of somebody else. Beside the clock
 * stands the processor's time of the page's main thread, which says more where others use the machine, too.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@specboard/client'
import { builtSite } from '@specboard/web'
import { chromium, type Page } from 'playwright-core'
import { p50 } from '../../../tools/bench/percentiles.ts'
import { startProduct } from '../../../tools/bench/processes.ts'
import { browserPath } from '../test/support/browser-path.ts'
import { traced } from './trace.ts'

const cards = 2_000
const rounds = 5

/** Measures all of it and prints the figures. */
export async function benchWeb(): Promise<void> {
  if (browserPath === undefined)
    throw new Error('No browser was found. Install Chromium, or name one in SPECBOARD_BROWSER.')
  await builtSite()
  const folder = mkdtempSync(join(tmpdir(), 'specboard-web-'))
  const server = await startProduct(folder)
  const browser = await chromium.launch({ executablePath: browserPath, args: ['--disable-dev-shm-usage'] })
  try {
    const client = createClient({ url: server.url, key: server.key! })
    const file = new File([cardsFile()], 'cards.csv', { type: 'text/csv' })
    const { board_id, key } = await client.importBoard({ file, name: 'Two thousand' })
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
    await signIn(page, server.url, server.key!)
    const board = `${server.url}/b/${key}/board`
    print('', 'clock', 'processor')
    print('script of the first load, gzip', `${(await scriptOf(page, board)) / 1_000} kB`)
    const opened = await repeated(() => timed(page, () => openBoard(page, board)))
    print(`${cards} cards on the screen and usable`, ...medians(opened))
    const filtered = await repeated(round => timed(page, () => filter(page, `card ${100 + round}`), clearFilter))
    print('a filter by words, until it is painted', ...medians(filtered))
    const longest = await repeated(() => longestTask(page))
    print('longest task while scrolling', ...medians(longest))
    const [card] = (await client.listCards({ board_id: board_id!, limit: 1 })).items
    const shown = await repeated(round => {
      const title = `Changed ${round}`
      return timeToScreen(page, title, () => client.updateCard({ card_id: card!.id, title }))
    })
    print('from the answer of a change to the screen of somebody else', milliseconds(p50(shown)))
    const load = loadavg()[0]!.toFixed(1)
    console.log(`Medians of ${rounds} rounds; load ${load} on ${availableParallelism()} processors.`)
  } finally {
    await browser.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const statuses = ['To Do', 'To Do', 'To Do', 'In Progress', 'Done']
const priorities = ['critical', 'high', 'medium', 'low']

/** Cards with all that a tile shows of an import. */
function cardsFile(): string {
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

/** What something took by the clock, and of the processor for the page's main thread, ms. */
type Took = readonly [clock: number, processor: number]

const print = (what: string, ...figures: readonly string[]): void =>
  console.log([what.padEnd(60), ...figures.map(figure => figure.padStart(10))].join(''))

const milliseconds = (value: number): string => `${Math.round(value)} ms`

const medians = (took: readonly Took[]): readonly [string, string] => [
  milliseconds(p50(took.map(([clock]) => clock))),
  milliseconds(p50(took.map(([, processor]) => processor))),
]

async function repeated<T>(measure: (round: number) => Promise<T>): Promise<T[]> {
  const values: T[] = []
  for (let round = 0; round < rounds; round++) values.push(await measure(round))
  return values
}

/** Measures something that says how long it took by the clock. */
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

/** The bytes of compressed script that have come when the first card is on the screen. */
async function scriptOf(page: Page, board: string): Promise<number> {
  await page.goto(board)
  await page.locator('.tile').first().waitFor()
  const bytes = await page.evaluate(`performance.getEntriesByType('resource')
    .filter(({ name }) => name.endsWith('.js'))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`)
  return Number(bytes)
}

/** Opens the board; from the beginning of the load until its first card answers a click, ms. */
async function openBoard(page: Page, board: string): Promise<number> {
  await page.goto(board, { waitUntil: 'commit' })
  await page.locator('.tile').first().waitFor()
  await page.locator('.tile .tile-select').first().click()
  await page.locator('.tile.selected').first().waitFor()
  return Number(await page.evaluate('performance.now()'))
}

/** Filters the board; from the change of the words until the browser has painted what is left, ms. */
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

/** The longest task of the page while its longest column is scrolled by a wheel from its beginning to its end. */
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

/** From the answer of a call until its words are on the screen, ms. */
async function timeToScreen(page: Page, words: string, change: () => Promise<unknown>): Promise<number> {
  await page.locator('[data-column="not_started"]').evaluate(element => element.scrollTo(0, 0))
  const seen = page.evaluate(`new Promise(resolve => {
    new MutationObserver((_, observer) => {
      if (!document.body.textContent.includes(${JSON.stringify(words)})) return
      observer.disconnect()
      requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()))
    }).observe(document.body, { characterData: true, childList: true, subtree: true })
  })`)
  await change()
  const answered = performance.timeOrigin + performance.now()
  return Math.max(0, Number(await seen) - answered)
}
