/**
 * Takes the pictures of the main pages that README and docs/web.md show, from a whole backlog in a service of its own.
 *
 * Usage: pnpm screenshots [file]
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '@specboard/client'
import { openSite } from '@specboard/web'
import { type Browser, chromium, type Page } from 'playwright-core'
import { readBacklog } from '../../../tools/backlog.ts'
import { startProduct } from '../../../tools/bench/processes.ts'
import { loadBacklog } from '../../../tools/load/load.ts'
import { browserPath } from '../test/support/browser-path.ts'

/** How a page is looked at. */
interface Looks {
  readonly name: string
  readonly colorScheme: 'light' | 'dark'
  readonly viewport: { readonly width: number; readonly height: number }
}

const wide = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

const looks: readonly Looks[] = [
  { name: 'light', colorScheme: 'light', viewport: wide },
  { name: 'dark', colorScheme: 'dark', viewport: wide },
  { name: 'phone', colorScheme: 'light', viewport: phone },
]

const pictures = fileURLToPath(new URL('../../../docs/images/', import.meta.url))

if (browserPath === undefined)
  throw new Error('No browser was found. Install Chromium, or name one in SPECBOARD_BROWSER.')
mkdirSync(pictures, { recursive: true })
await openSite(fault => {
  throw new Error(fault)
}).open()
const folder = mkdtempSync(join(tmpdir(), 'specboard-screenshots-'))
const server = await startProduct(folder)
const browser = await chromium.launch({ executablePath: browserPath, args: ['--disable-dev-shm-usage'] })
try {
  const client = createClient({ url: server.url, key: server.key! })
  const { boardId } = await loadBacklog(client, readBacklog(process.argv[2]))
  const pages = await arranged(client, boardId)
  for (const look of looks) await take(browser, look, pages)
} finally {
  await browser.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Asks and moves what a live board would have, and answers the pages to be taken, by the name of their picture. */
async function arranged(client: Client, boardId: string): Promise<ReadonlyMap<string, string>> {
  const { key } = await client.getBoard({ board_id: boardId })
  const { items: ready } = await client.listReadyCards({ board_id: boardId, limit: 8 })
  const agent = await client.createAgent({ name: 'Executor', board_ids: [boardId] })
  const executor = createClient({ url: server.url, key: agent.api_key! })
  for (const card of ready.slice(0, 3)) await executor.claimCard({ card_id: card.id })
  for (const card of ready.slice(0, 3)) await executor.moveCard({ card_id: card.id, target_status: 'started' })
  const [asked, chosen] = ready.slice(3)
  if (asked !== undefined)
    await executor.askCardQuestion({ card_id: asked.id, question: 'Should old data be migrated, or dropped?' })
  if (chosen !== undefined)
    await executor.createComment({
      card_id: chosen.id,
      content: 'Two ways to do it. Which one?',
      comment_type: 'choice',
      choices: [
        { id: 'a', label: 'Keep the present format' },
        { id: 'b', label: 'Change it in this release' },
      ],
    })
  return new Map([
    ['inbox', '/'],
    ['board', `/b/${key}/board`],
    ['card', `/b/${key}/cards/${asked?.ref}`],
  ])
}

async function take(from: Browser, { name, colorScheme, viewport }: Looks, pages: ReadonlyMap<string, string>) {
  const context = await from.newContext({ viewport, colorScheme, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(server.url)
  await page.getByLabel('API key').fill(server.key!)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  for (const [picture, path] of pages) {
    await page.goto(server.url + path)
    await settled(page)
    await page.screenshot({ path: join(pictures, `${picture}-${name}.png`) })
    console.log(`docs/images/${picture}-${name}.png`)
  }
  await context.close()
}

/** Waits until a page has read what it shows; its event stream stays open. */
async function settled(page: Page): Promise<void> {
  await page.locator('.tile, .card-view, .entry').first().waitFor()
  await page.waitForTimeout(500)
}
