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
import { builtSite } from '@specboard/web'
import { type Browser, chromium, type Page } from 'playwright-core'
import { startProduct } from '../../../tools/bench/processes.ts'
import { importBacklog } from '../../../tools/imported-backlog.ts'
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
await builtSite()
const folder = mkdtempSync(join(tmpdir(), 'specboard-screenshots-'))
const server = await startProduct(folder)
const browser = await chromium.launch({ executablePath: browserPath, args: ['--disable-dev-shm-usage'] })
try {
  const client = createClient({ url: server.url, key: server.key! })
  const { boardId } = await importBacklog(client, process.argv[2])
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
  const { items: specs } = await client.listSpecs({ board_id: boardId })
  const spec = specs.toSorted((a, b) => b.cards_total - a.cards_total)[0]
  await answeredFor(client, spec!.id)
  const on = `/b/${key}`
  return new Map([
    ['inbox', '/'],
    ['board', `${on}/board`],
    ['card', `${on}/cards/${asked?.ref}`],
    ['specs', `${on}/specs`],
    ['spec', `${on}/specs/${spec?.ref}`],
    ['coverage', `${on}/coverage/${spec?.ref}`],
    ['lineage', `${on}/lineage/${spec?.ref}`],
    ['analytics', `${on}/analytics`],
    ['activity', `${on}/activity`],
    ['settings', `${on}/settings`],
    ['administration', '/admin'],
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
  for (const [picture, path] of pages) {
    await page.goto(server.url + path)
    await settled(page)
    await page.screenshot({ path: join(pictures, `${picture}-${name}.png`) })
    console.log(`docs/images/${picture}-${name}.png`)
  }
  await context.close()
}

/** Waits until a page has read what it shows and is painted; its event stream stays open. */
async function settled(page: Page): Promise<void> {
  await page.locator('main :is(h1, .tile, .notice)').first().waitFor()
  await page.getByText('Loading…').first().waitFor({ state: 'detached' })
  await page.waitForTimeout(800)
}
