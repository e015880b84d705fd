/**
 * Takes the pictures of the main pages that README and docs/web.md show, from a whole backlog in a service of its own;
 * with `--to`, pictures of all pages in all looks, in another folder, to be looked through.
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

/** How long a page asks nothing before it has all that it shows, ms. */
const quietMs = 1_000

/** How many cards the pictured spec has, about. */
const shownCards = 8

/** What the documentation shows: these pages in both colours, and some on a phone. */
const shown = new Set(['inbox', 'board', 'card', 'spec', 'coverage', 'lineage', 'analytics'])
const shownOnPhone = new Set(['inbox', 'board', 'card'])

const { values: options, positionals } = parseArgs({ options: { to: { type: 'string' } }, allowPositionals: true })
const pictures = options.to ?? fileURLToPath(new URL('../../../docs/images/', import.meta.url))
const isTaken = (picture: string, look: string): boolean =>
  options.to !== undefined || (look === 'phone' ? shownOnPhone : shown).has(picture)

if (browserPath === undefined)
  throw new Error('No browser was found. Install Chromium, or name one in SPECBOARD_BROWSER.')
mkdirSync(pictures, { recursive: true })
await builtSite()
const folder = mkdtempSync(join(tmpdir(), 'specboard-screenshots-'))
const server = await startService(folder)
const browser = await chromium.launch({ executablePath: browserPath, args: ['--disable-dev-shm-usage'] })
try {
  const client = createClient({ url: server.url, key: server.key! })
  const { boardId } = await importBacklog(client, positionals[0])
  const pages = await arranged(client, boardId)
  for (const look of looks) await take(browser, look, pages)
  await connected(browser, picture => join(pictures, picture))
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
  const { items: specs } = await client.listSpecs({ board_id: boardId })
  // One whose cards stand side by side on a picture.
  const spec = specs.toSorted((a, b) => Math.abs(a.cards_total - shownCards) - Math.abs(b.cards_total - shownCards))[0]
  await answeredFor(client, spec!.id)
  const on = `/b/${key}`
  return new Map([
    ['inbox', '/'],
    ['board', `${on}/board`],
    ['list', `${on}/list`],
    ['card', `${on}/cards/${asked?.ref}`],
    ['specs', `${on}/specs`],
    ['spec', `${on}/specs/${spec?.ref}`],
    ['coverage', `${on}/coverage/${spec?.ref}`],
    ['lineage', `${on}/lineage/${spec?.ref}`],
    ['lineage-whole', `${on}/lineage`],
    ['ideations', `${on}/ideations`],
    ['sprints', `${on}/sprints`],
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
    ['settings-people', `${on}/settings/people`],
    ['settings-exchange', `${on}/settings/exchange`],
    ['settings-webhooks', `${on}/settings/webhooks`],
    ['administration', '/admin'],
    ['administration-presets', '/admin/presets'],
    ['administration-rights', '/admin/rights'],
    ['administration-settings', '/admin/settings'],
    ['administration-health', '/admin/health'],
  ])
}

/** Gives a spec what a planned one has, so that its page and its coverage have something to show. */
async function answeredFor(client: Client, spec_id: string): Promise<void> {
  const { cards } = await client.getSpec({ spec_id })
  const [first, second] = cards.map(({ id }) => id)
  await client.updateSpec({
    spec_id,
    functional_requirements: ['Every command answers JSON when asked', 'A failed command says what to do next'],
    acceptance_criteria: ['Scripts need no screen scraping', 'No error ends in a stack trace'],
    business_rules: [
      {
        id: 'br1',
        title: 'One object a line',
        rule: 'What is printed for machines is one JSON object a line',
        when: '',
        then: '',
        linked_requirements: ['0'],
        linked_task_ids: first === undefined ? [] : [first],
      },
    ],
    test_scenarios: [
      {
        id: 'ts1',
        title: 'A list for machines',
        linked_criteria: ['0'],
        given: 'a database with issues',
        when: 'they are listed with --json',
        then: 'each line is an object',
        linked_task_ids: second === undefined ? [] : [second],
      },
      {
        id: 'ts2',
        title: 'A mistyped command',
        linked_criteria: ['1'],
        when: 'an unknown command is run',
        then: 'the nearest one is named',
      },
    ],
  })
}

async function take(from: Browser, { name, colorScheme, viewport }: Looks, pages: ReadonlyMap<string, string>) {
  const context = await from.newContext({ viewport, colorScheme, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(server.url)
  await page.getByLabel('API key').fill(server.key!)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  // That a key shows nobody to be there is said once; the pictures are of the pages.
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

/** Waits until a page asks the service nothing more; on a busy machine an answer may take seconds. */
async function quiet(page: Page): Promise<void> {
  const answered = "performance.getEntriesByType('resource').length"
  for (let before = -1, now = 0; before !== now; ) {
    before = now
    await page.waitForTimeout(quietMs)
    now = Number(await page.evaluate(answered))
  }
}
