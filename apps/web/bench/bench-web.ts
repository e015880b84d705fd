/**
 * Measures the web board in a real browser: the script of the first load, a board of 2,000 cards until it takes input, a
 * filter on it, scrolling, and the way of a change from the service to the screen of somebody else.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@specboard/client'
import { builtSite } from '@specboard/web'
import { chromium, type Page } from 'playwright-core'
import { p50 } from '../../../tools/bench/percentiles.ts'
import { startProduct } from '../../../tools/bench/processes.ts'
import { browserPath } from '../test/support/browser-path.ts'

const cards = 2_000
const rounds = 7

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
    const rows = Array.from({ length: cards }, (_, index) => `Card ${index},To Do,label-${index % 10}`)
    const file = new File([['title,status,labels', ...rows].join('\n')], 'cards.csv', { type: 'text/csv' })
    const { board_id, key } = await client.importBoard({ file, name: 'Two thousand' })
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
    await signIn(page, server.url, server.key!)
    const board = `${server.url}/b/${key}/board`
    print('script of the first load, gzip', `${Math.round((await scriptOf(page, board)) / 1_000)} kB`)
    const opened = await repeated(() => timeToCards(page, board))
    print(`${cards} cards on the screen and usable`, milliseconds(p50(opened)))
    print('a filter by words', milliseconds(p50(await repeated(round => timeToFilter(page, `card ${100 + round}`)))))
    print('longest task while scrolling', milliseconds(await longestTask(page)))
    const [card] = (await client.listCards({ board_id: board_id!, limit: 1 })).items
    const shown = await repeated(round => {
      const title = `Changed ${round}`
      return timeToScreen(page, title, () => client.updateCard({ card_id: card!.id, title }))
    })
    print('from the answer of a change to the screen of somebody else', milliseconds(p50(shown)))
  } finally {
    await browser.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const print = (what: string, figure: string): void => console.log(`${what.padEnd(62)} ${figure}`)

const milliseconds = (value: number): string => `${Math.round(value)} ms`

async function repeated(measure: (round: number) => Promise<number>): Promise<number[]> {
  const values: number[] = []
  for (let round = 0; round < rounds; round++) values.push(await measure(round))
  return values
}

async function signIn(page: Page, url: string, key: string): Promise<void> {
  await page.goto(url)
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
}

/** The bytes of script that a browser without a cache takes for the board, as they are sent. */
async function scriptOf(page: Page, board: string): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  const scripts = new Set<string>()
  let bytes = 0
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength
  })
  await page.goto(board)
  await page.locator('.tile').first().waitFor()
  await session.detach()
  return bytes
}

/** From the beginning of a load until the first card answers a click, ms. */
async function timeToCards(page: Page, board: string): Promise<number> {
  await page.goto(board, { waitUntil: 'commit' })
  await page.locator('.tile').first().waitFor()
  await page.locator('.tile .tile-select').first().click()
  await page.locator('.tile.selected').first().waitFor()
  return Number(await page.evaluate('performance.now()'))
}

/** From a change of the filter until the browser has painted what is left, ms. */
async function timeToFilter(page: Page, words: string): Promise<number> {
  const took = await page.evaluate(`new Promise(resolve => {
    const input = document.querySelector('[name="q"]')
    const count = document.querySelector('.filter-bar .numbers')
    const begin = performance.now()
    new MutationObserver((_, observer) => {
      observer.disconnect()
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begin)))
    }).observe(count, { characterData: true, childList: true, subtree: true })
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, ${JSON.stringify(words)})
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })`)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.locator('.tile[data-index="1"]').first().waitFor()
  return Number(took)
}

/** The longest task of the page while its longest column is scrolled from end to end, ms; 0 if none is over 50 ms. */
async function longestTask(page: Page): Promise<number> {
  await page.evaluate(`
    globalThis.longest = 0
    new PerformanceObserver(list => {
      for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration)
    }).observe({ type: 'longtask' })`)
  const { x, y, width, height } = (await page.locator('[data-column="not_started"]').boundingBox())!
  await page.mouse.move(x + width / 2, y + height / 2)
  for (let turn = 0; turn < 60; turn++) await page.mouse.wheel(0, 600)
  return Number(await page.evaluate('globalThis.longest'))
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
