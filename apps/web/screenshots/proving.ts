/**
 * The steps from a failed check to a card that a merge finishes, as people see them (git 6, evidence 7), and the inbox
 * items along the way: each step in a service of its own, light and dark, on a desktop and a phone.
 */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@specboard/client'
import type { Browser, Page } from 'playwright-core'
import { startService } from '../../../tools/lab/harness/service.ts'
import { acme, drained, sendSigned } from '../../../tools/lab/load/forge-events.ts'

const looks = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { name: 'phone-dark', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const

type Look = (typeof looks)[number]['name']

/** The file for the picture of a page in a look; undefined if no picture is to be taken. */
type FileOf = (picture: string, look: Look) => string | undefined

interface Looked {
  readonly look: Look
  readonly page: Page
}

const webhookSecret = 'what the forge and the service share'

const shaOf = (text: string): string => createHash('sha1').update(text).digest('hex')

const [base, broken, mended, merge] = [shaOf('base'), shaOf('broken'), shaOf('mended'), shaOf('merge')]

const report = {
  conclusion: 'A gift card pays as much of an order as is left on it.',
  completeness: 100,
  completeness_justification: 'Every criterion.',
  drift: 0,
  drift_justification: 'As it was written.',
}

const now = (): string => new Date().toISOString()

/** A board with a repository, an agent that works and the jobs of a pipeline. */
interface Shop {
  readonly url: string
  readonly owner: Client
  readonly board_id: string
  readonly key: string
  readonly repository_id: string
  readonly wren: Client
  readonly reviewer: Client
  readonly ci: Client
}

async function shop(
  url: string,
  ownerKey: string,
  named: { readonly name: string; readonly key: string },
): Promise<Shop> {
  const owner = createClient({ url, key: ownerKey })
  const board = await owner.createBoard({ ...named, description: 'Where customers order.' })
  const board_id = board.id
  const repository = await owner.createRepository({
    board_id,
    url: 'https://github.com/acme/shop',
    webhook_secret: webhookSecret,
  })
  const hired = async (name: string, kind: 'agent' | 'ci') => {
    const { id, api_key } = await owner.createAgent({ name, kind, board_ids: [board_id] })
    return { id, client: createClient({ url, key: api_key! }) }
  }
  const wren = await hired('Wren', 'agent')
  const reviewer = await hired('Reviewer', 'agent')
  const ci = await hired('CI', 'ci')
  await owner.putAuthors({ board_id, authors: [{ login: 'wren', agent_id: wren.id }] })
  return {
    url,
    owner,
    board_id,
    key: board.key,
    repository_id: repository.id,
    wren: wren.client,
    reviewer: reviewer.client,
    ci: ci.client,
  }
}

/** Sends an event of the forge, and waits until it is processed. */
async function sendForgeEvent({ url, owner, repository_id }: Shop, event: string, payload: object): Promise<void> {
  const status = await sendSigned(url, repository_id, event, { repository: acme, ...payload }, webhookSecret)
  if (status !== 202) throw new Error(`The event ${event} was answered ${status}.`)
  await drained(owner, repository_id)
}

const commit = (id: string, message: string, login: string) => ({
  id,
  message,
  timestamp: now(),
  author: { name: login, email: `${login}@example.com`, username: login },
  added: [],
  modified: ['src/checkout.ts'],
  removed: [],
})

const push = (branch: string, before: string, after: string, message: string, login = 'wren') => ({
  ref: `refs/heads/${branch}`,
  before,
  after,
  commits: [commit(after, message, login)],
  sender: { login },
})

const pullRequest = (title: string, head: string, more: object = {}) => ({
  number: 12,
  state: 'open',
  title,
  body: 'The customer pays the rest as usual.',
  draft: false,
  merged: false,
  created_at: now(),
  updated_at: now(),
  user: { login: 'wren' },
  head: { ref: 'gift-cards', sha: head, repo: { full_name: acme.full_name } },
  base: { ref: 'main', sha: base, repo: { full_name: acme.full_name } },
  commits: 2,
  changed_files: 4,
  additions: 118,
  deletions: 23,
  ...more,
})

const merged = () => ({
  state: 'closed',
  merged: true,
  merge_commit_sha: merge,
  merged_at: now(),
  merged_by: { login: 'ada' },
})

const check = (name: string, head_sha: string, conclusion: 'success' | 'failure') => ({
  action: 'completed',
  check_run: {
    name,
    head_sha,
    status: 'completed',
    conclusion,
    completed_at: now(),
    html_url: 'https://github.com/acme/shop/actions/runs/4711',
  },
})

interface Tested {
  readonly sha: string
  readonly branch?: string
  readonly spec: string
  /** The titles of both scenarios of the spec, by which the tests are named. */
  readonly titles: readonly [string, string]
  /** How the second test failed, if it did. */
  readonly failure?: string
}

/** The test results of a commit for the two scenarios of a spec. */
function tests(setup: Shop, { sha, branch = 'gift-cards', spec, titles, failure }: Tested) {
  const { ci, board_id, repository_id } = setup
  const failed = failure === undefined ? '' : `<failure message="${failure}"/>`
  const [one, other] = titles.map((title, index) => `name="${title} ${spec}/s${index + 1}" time="0.02"`)
  const text = `<testsuite name="checkout"><testcase ${one}/><testcase ${other}>${failed}</testcase></testsuite>`
  return ci.submitTestReport({
    board_id,
    repository_id,
    commit: sha,
    branch,
    name: 'unit',
    ci_run: `run of ${sha.slice(0, 7)}`,
    run_url: 'https://github.com/acme/shop/actions/runs/4711',
    files: [{ name: 'report.xml', text }],
  })
}

const giftCards = ['A gift card pays a part of an order', 'A spent card is refused in words'] as const
const baskets = ['A basket lives until tomorrow', 'A guest who signs in keeps the larger basket'] as const

const scenarios = (titles: readonly string[]) => titles.map((title, index) => ({ id: `s${index + 1}`, title }))

/** A card that covers both scenarios of a new spec. */
async function plannedCard({ owner, board_id }: Shop) {
  const { id: spec_id, ref: spec } = await owner.createSpec({
    board_id,
    title: 'Gift cards',
    status: 'in_progress',
    test_scenarios: scenarios(giftCards),
  })
  const { id: card_id, ref } = await owner.createCard({
    board_id,
    spec_id,
    title: 'Redeem a part of a gift card',
    test_scenario_ids: ['s1', 's2'],
    priority: 'high',
    description: 'A gift card pays as much of an order as is left on it; a spent one is refused, and the page says so.',
  })
  return { spec_id, spec: spec!, card_id, ref: ref! }
}

/** Signed-in pages, one for each look. */
class Pages {
  readonly #pages: readonly Looked[]
  readonly #url: string
  readonly #fileOf: FileOf

  private constructor(pages: readonly Looked[], url: string, fileOf: FileOf) {
    this.#pages = pages
    this.#url = url
    this.#fileOf = fileOf
  }

  static async signedIn(from: Browser, url: string, key: string, fileOf: FileOf): Promise<Pages> {
    const pages: Looked[] = []
    for (const { name: look, ...looking } of looks) {
      const page = await (await from.newContext({ ...looking, reducedMotion: 'reduce' })).newPage()
      await page.goto(url)
      await page.getByLabel('API key').fill(key)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Inbox' }).waitFor()
      await page.getByRole('button', { name: 'Hide' }).click()
      pages.push({ look, page })
    }
    return new Pages(pages, url, fileOf)
  }

  /** Takes a picture of a page in each look, after an action on it. */
  async take(picture: string, path: string, act: (page: Page, look: Look) => Promise<unknown>): Promise<void> {
    for (const { look, page } of this.#pages) {
      const file = this.#fileOf(picture, look)
      if (file === undefined) continue
      await page.goto(this.#url + path)
      await page.locator('main h1').first().waitFor({ state: 'attached' })
      await act(page, look)
      await page.waitForTimeout(500)
      await page.screenshot({ path: file })
      console.log(file)
    }
  }
}

/** Takes the pictures of all steps. */
export async function proven(
  from: Browser,
  fileOf: (picture: string, look: Look) => string | undefined,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-proving-'))
  const server = await startService(folder)
  try {
    const webShop = await shop(server.url, server.key!, { name: 'Web shop', key: 'SHOP' })
    const pages = await Pages.signedIn(from, server.url, server.key!, fileOf)
    await walk(webShop, pages)
    await waiting(await shop(server.url, server.key!, { name: 'Till', key: 'TILL' }), pages)
    await unproven(webShop, pages)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function walk(setup: Shop, pages: Pages): Promise<void> {
  const { owner, board_id, wren, reviewer, key } = setup
  const gates = { min_evidence_tier: 'ci', require_merged_change: true, require_green_checks: true } as const
  await owner.updateBoard({ board_id, settings: { ...gates, auto_done_on_merge: true, auto_move: false } })
  const { spec, card_id, ref } = await plannedCard(setup)
  const title = `Pay a part with a gift card (${ref})`
  await wren.claimCard({ card_id, start: true })
  await sendForgeEvent(setup, 'push', push('gift-cards', base, broken, `Take the amount off a gift card (${ref})`))
  await sendForgeEvent(setup, 'pull_request', { action: 'opened', pull_request: pullRequest(title, broken) })
  await sendForgeEvent(setup, 'check_run', check('lint', broken, 'success'))
  await sendForgeEvent(setup, 'check_run', check('unit', broken, 'failure'))
  await tests(setup, { sha: broken, spec, titles: giftCards, failure: 'expected a refusal in words, got status 500' })
  await wren.moveCard({ card_id, target_status: 'validation', ...report })
  const approval = { outcome: 'success', summary: 'Paid a part with a card, and the rest by invoice.' } as const
  await reviewer.submitTaskValidation({ card_id, ...approval })
  const card = `/b/${key}/cards/${ref}`
  await pages.take('proof-failed', card, async page => {
    const proof = page.getByRole('region', { name: 'Proof' })
    await proof.getByRole('button', { name: 'A spent card is refused in words' }).first().click()
    await page.waitForTimeout(500)
    await proof.scrollIntoViewIfNeeded()
  })
  await pages.take('proof-refused', card, async page => {
    await page.getByRole('button', { name: 'Validation' }).first().click()
    await page.getByText('1 move is closed').click()
    await page.getByRole('button', { name: 'Done' }).first().click()
    await page.getByRole('dialog').waitFor()
  })
  await sendForgeEvent(setup, 'push', push('gift-cards', broken, mended, `Refuse a spent card in words (${ref})`))
  await sendForgeEvent(setup, 'pull_request', { action: 'synchronize', pull_request: pullRequest(title, mended) })
  for (const name of ['lint', 'unit']) await sendForgeEvent(setup, 'check_run', check(name, mended, 'success'))
  await tests(setup, { sha: mended, spec, titles: giftCards })
  await pages.take('proof-passed', card, page => page.getByText('2 of 2').first().waitFor())
  await sendForgeEvent(setup, 'push', push('main', base, merge, `Merge pull request #12 from acme/gift-cards`))
  await tests(setup, { sha: merge, branch: 'main', spec, titles: giftCards })
  await sendForgeEvent(setup, 'pull_request', { action: 'closed', pull_request: pullRequest(title, mended, merged()) })
  await pages.take('proof-done', card, page => page.getByText('2 of 2').first().waitFor())
}

/** Opens the first item of a kind in the inbox. */
async function opened(page: Page, kind: string): Promise<void> {
  const group = page.getByRole('region', { name: kind })
  await group.getByRole('button').first().click()
  await page.waitForTimeout(1_500)
}

/**
 * Pictures of a card whose change is not merged, of a move that an automation could not make, and of what automations
 * would do.
 */
async function waiting(setup: Shop, pages: Pages): Promise<void> {
  const { owner, board_id, reviewer, key } = setup
  const { agent_id } = await owner.getMyPermissions()
  await owner.putAuthors({ board_id, authors: [{ login: 'ada', agent_id }] })
  const card = async (title: string, number: number, body: string) => {
    const spec = await owner.createSpec({ board_id, title: `${title} at the till`, status: 'in_progress' })
    const { id: card_id, ref } = await owner.createCard({ board_id, spec_id: spec.id, title })
    await owner.claimCard({ card_id })
    const head = shaOf(title)
    const branch = `till-${number}`
    await sendForgeEvent(setup, 'push', push(branch, base, head, `${title} (${ref})`, 'ada'))
    const from = { ref: branch, sha: head, repo: { full_name: acme.full_name } }
    const pull_request = pullRequest(`${title} (${ref})`, head, { number, body, head: from, user: { login: 'ada' } })
    return { card_id, opened: () => sendForgeEvent(setup, 'pull_request', { action: 'opened', pull_request }), head }
  }
  const receipt = await card('Print the receipt', 21, 'Prints what was paid, and how.')
  await owner.moveCard({ card_id: receipt.card_id, target_status: 'started' })
  await receipt.opened()
  await owner.moveCard({ card_id: receipt.card_id, target_status: 'validation', ...report })
  const approval = { outcome: 'success', summary: 'Printed one of each kind.', auto_move: false } as const
  await reviewer.submitTaskValidation({ card_id: receipt.card_id, ...approval })
  await sendForgeEvent(setup, 'check_run', check('unit', receipt.head, 'success'))
  await owner.updateBoard({
    board_id,
    settings: { require_merged_change: true, auto_validation_on_pull_request: true, auto_done_on_merge: true },
  })
  const drawer = await card('Count the drawer at closing', 22, '')
  await owner.moveCard({ card_id: drawer.card_id, target_status: 'started' })
  await drawer.opened()
  await pages.take('settings-automations', `/b/${key}/settings`, async page => {
    const rule = page.getByText('In the last 7 days').first()
    await rule.waitFor()
    await rule.scrollIntoViewIfNeeded()
    await page.mouse.wheel(0, 400)
  })
  await pages.take('inbox-refused-move', '/', page => opened(page, 'Moves that were refused'))
  await pages.take('inbox-unmerged', '/', page => opened(page, 'Changes to merge'))
}

/** Pictures of a card that only lacks its proof, and of a scenario of a finished spec that fails again. */
async function unproven(setup: Shop, pages: Pages): Promise<void> {
  const { owner, board_id, reviewer } = setup
  await owner.updateBoard({ board_id, settings: { require_merged_change: false, require_green_checks: false } })
  const { card_id } = await plannedCard(setup)
  await owner.claimCard({ card_id, start: true })
  await owner.moveCard({ card_id, target_status: 'validation', ...report })
  const approval = { outcome: 'success', summary: 'Read it, and tried it by hand.', auto_move: false } as const
  await reviewer.submitTaskValidation({ card_id, ...approval })
  const { ref } = await owner.createSpec({
    board_id,
    title: 'Baskets of guests',
    status: 'done',
    test_scenarios: scenarios(baskets),
  })
  await tests(setup, {
    sha: shaOf('later'),
    branch: 'main',
    spec: ref!,
    titles: baskets,
    failure: 'expected 3 articles, got 0',
  })
  await pages.take('inbox-unproven', '/', page => opened(page, 'Cards to prove'))
  await pages.take('inbox-regression', '/', page => opened(page, 'Regressions'))
}
