/**
 * Takes pictures of a board in a service of its own: those of the main pages, which README and docs/web.md show; with
 * `--to`, pictures of all pages in all looks, in another folder, for review; with a beads file, pictures of its
 * backlog.
 *
 * Usage: pnpm screenshots [file] [--to=folder]
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Client, createClient } from '@specboard/client'
import { builtSite } from '@specboard/web'
import { type Browser, chromium, type Page } from 'playwright-core'
import { importBacklog } from '../../../tools/lab/data/imported-backlog.ts'
import { startService } from '../../../tools/lab/harness/service.ts'
import { browserPath } from '../test/support/browser-path.ts'
import { connected } from './connecting.ts'
import { type BoardForPictures, makePicturedBoard } from './pictured-board.ts'
import { proven } from './proving.ts'

/** A look: the colours and the window size in which pages are shown. */
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

/** A page counts as loaded once it has made no request for this long, ms. */
const quietMs = 1_000

/** The approximate number of cards of the spec in the pictures. */
const shownCards = 8

/** The pictures in the documentation: these pages in light and dark, and some on a phone. */
const shownPages = new Set(['now', 'inbox', 'board', 'card', 'spec', 'coverage', 'lineage', 'analytics'])
const shownOnPhone = new Set(['now', 'inbox', 'board', 'card'])

/** The pictures in the documentation of the steps from a failed check to a card that is done. */
const shownOfProof = new Set(['proof-failed-light', 'proof-refused-light', 'proof-done-light'])

const { values: options, positionals } = parseArgs({ options: { to: { type: 'string' } }, allowPositionals: true })
const pictures = options.to ?? fileURLToPath(new URL('../../../docs/images/', import.meta.url))
const isTaken = (picture: string, look: string): boolean =>
  options.to !== undefined || (look === 'phone' ? shownOnPhone : shownPages).has(picture)

if (browserPath === undefined)
  throw new Error('No browser was found. Install Chromium, or name one in SPECBOARD_BROWSER.')
mkdirSync(pictures, { recursive: true })
await builtSite()
const folder = mkdtempSync(join(tmpdir(), 'specboard-screenshots-'))
const server = await startService(folder)
const browser = await chromium.launch({ executablePath: browserPath, args: ['--disable-dev-shm-usage'] })
try {
  const client = createClient({ url: server.url, key: server.key! })
  const [file] = positionals
  const pages = pagesOf(
    file === undefined ? await makePicturedBoard(server.url, server.key!) : await imported(client, file),
  )
  for (const look of looks) await take(browser, look, pages)
  await connected(browser, picture => join(pictures, picture))
  await proven(browser, (picture, look) =>
    options.to !== undefined || shownOfProof.has(`${picture}-${look}`)
      ? join(pictures, `${picture}-${look}.png`)
      : undefined,
  )
} finally {
  await browser.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** A backlog with what a live board would have. */
async function imported(client: Client, file: string): Promise<BoardForPictures> {
  const { boardId } = await importBacklog(client, file)
  const { key } = await client.getBoard({ board_id: boardId })
  const { items: ready } = await client.listReadyCards({ board_id: boardId, limit: 4 })
  const agent = await client.createAgent({ name: 'Executor', board_ids: [boardId] })
  const executor = createClient({ url: server.url, key: agent.api_key! })
  const [questionCard, ...claimed] = ready
  for (const { id } of claimed) await executor.claimCard({ card_id: id, start: true })
  await executor.askCardQuestion({ card_id: questionCard!.id, question: 'Should old data be migrated, or dropped?' })
  const { items: specs } = await client.listSpecs({ board_id: boardId })
  // A spec whose cards are side by side in a picture.
  const [spec] = specs.toSorted((a, b) => Math.abs(a.cards_total - shownCards) - Math.abs(b.cards_total - shownCards))
  return { key, spec: spec!.ref!, card: questionCard!.ref! }
}

/** The addresses of the pages to be taken, by the name of their picture. */
function pagesOf({ key, spec, card }: BoardForPictures): ReadonlyMap<string, string> {
  const on = `/b/${key}`
  return new Map([
    ['now', `${on}/now`],
    ['inbox', '/'],
    ['board', `${on}/board`],
    ['list', `${on}/list`],
    ['card', `${on}/cards/${card}`],
    ['specs', `${on}/specs`],
    ['spec', `${on}/specs/${spec}`],
    ['coverage', `${on}/coverage/${spec}`],
    ['lineage', `${on}/lineage/${spec}`],
    ['lineage-whole', `${on}/lineage`],
    ['ideations', `${on}/ideations`],
    ['sprints', `${on}/sprints`],
    ['timeline', `${on}/timeline`],
    ['dependencies', `${on}/dependencies`],
    ['knowledge', `${on}/knowledge`],
    ['knowledge-graph', `${on}/knowledge/graph`],
    ['knowledge-queue', `${on}/knowledge/queue`],
    ['knowledge-health', `${on}/knowledge/health`],
    ['knowledge-sessions', `${on}/knowledge/sessions`],
    ['architecture', `${on}/architecture`],
    ['analytics', `${on}/analytics`],
    ['activity', `${on}/activity`],
    ['settings', `${on}/settings`],
    ['settings-guidelines', `${on}/settings/guidelines`],
    ['settings-templates', `${on}/settings/templates`],
    ['settings-people', `${on}/settings/people`],
    ['settings-exchange', `${on}/settings/exchange`],
    ['settings-webhooks', `${on}/settings/webhooks`],
    ['administration', '/admin'],
    ['administration-presets', '/admin/presets'],
    ['administration-rights', '/admin/rights'],
    ['administration-settings', '/admin/settings'],
    ['administration-health', '/admin/health'],
    ['administration-people', '/admin/people'],
    ['administration-backups', '/admin/backups'],
    ['administration-audit', '/admin/audit'],
    ['profile', '/me'],
  ])
}

async function take(from: Browser, { name, colorScheme, viewport }: Looks, pages: ReadonlyMap<string, string>) {
  const context = await from.newContext({ viewport, colorScheme, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(server.url)
  await page.getByLabel('API key').fill(server.key!)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  // Dismisses the notice that a key does not prove a person's presence, so that the pictures show the pages.
  await page.getByRole('button', { name: 'Hide' }).click()
  for (const [picture, path] of pages) {
    if (!isTaken(picture, name)) continue
    await page.goto(server.url + path)
    await settled(page)
    const file = join(pictures, `${picture}-${name}.png`)
    await page.screenshot({ path: file })
    console.log(file)
  }
  await context.close()
}

/** Waits until a page has read what it shows and is painted; its event stream stays open. */
async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor({ state: 'attached' })
  await page.getByText('Loading…').first().waitFor({ state: 'detached' })
  await quiet(page)
  await page.waitForTimeout(500)
}

/** Waits until a page makes no more requests; on a busy machine an answer may take seconds. */
async function quiet(page: Page): Promise<void> {
  const answered = "performance.getEntriesByType('resource').length"
  for (let before = -1, now = 0; before !== now; ) {
    before = now
    await page.waitForTimeout(quietMs)
    now = Number(await page.evaluate(answered))
  }
}
