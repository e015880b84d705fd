/**
 * The last act of the demo: a claim is not proof. CI contradicts it, the gate stays closed, the fix is proven, and the
 * merge closes the card.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, ClientError, createClient } from '@specboard/client'
import { mainFile } from '../lab/harness/service.ts'
import { acme, sendSigned } from '../lab/load/forge-events.ts'
import { printRefusal, printStep, scene } from './screen.ts'

const secret = 'a secret that the forge and the service share'
const address = 'https://github.com/acme/shop'

/** How long the owner waits for the effects of the merge, ms. */
const patience = 20_000

const testFile = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { total } from './total.mjs'
test('the total is rounded up', () => assert.equal(total([1.2, 2.2]), 4))
`

const wrong = 'export const total = prices => Math.round(prices.reduce((sum, price) => sum + price, 0))\n'
const right = 'export const total = prices => Math.ceil(prices.reduce((sum, price) => sum + price, 0))\n'

/** The executor's report on its work. */
const handedOver = {
  conclusion: 'The total is rounded up; all tests passed.',
  completeness: 100,
  completeness_justification: 'Everything that was planned.',
  drift: 0,
  drift_justification: 'As planned.',
}

/** The verdict of a reviewer who only looked at the code. */
const believed = {
  recommendation: 'approve',
  outcome: 'success',
  summary: 'It reads well, and the report says that all tests passed.',
  confidence: 90,
  confidence_justification: 'The change is small.',
  completeness: 100,
  completeness_justification: 'Nothing is missing.',
  drift: 0,
  drift_justification: 'As planned.',
} as const

/** A clone in which an executor works and CI runs. */
class Clone {
  readonly folder = mkdtempSync(join(tmpdir(), 'specboard-clone-'))

  constructor() {
    this.git('init', '-q', '-b', 'main')
    this.git('remote', 'add', 'origin', address)
    writeFileSync(join(this.folder, '.gitignore'), 'report.xml\n')
    writeFileSync(join(this.folder, 'total.test.mjs'), testFile)
    this.commit('Begin', 'export const total = () => 0\n')
    this.git('switch', '-q', '-c', 'round-up')
  }

  git(...args: readonly string[]): string {
    const who = ['-c', 'user.name=executor', '-c', 'user.email=executor@example.com']
    return execFileSync('git', [...who, ...args], { cwd: this.folder, encoding: 'utf8' }).trim()
  }

  /** Commits new content of the only file; returns the sha. */
  commit(message: string, content: string): string {
    writeFileSync(join(this.folder, 'total.mjs'), content)
    this.git('add', '-A')
    this.git('commit', '-q', '-m', message)
    return this.git('rev-parse', 'HEAD')
  }

  /** Runs the tests as a CI job does, and sends their report whatever the result. */
  pipeline(url: string, key: string, board: string): void {
    const run = (args: readonly string[], env: NodeJS.ProcessEnv) =>
      execFileSync(process.execPath, [...args], { cwd: this.folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
    try {
      run(['--test', '--test-reporter=junit', '--test-reporter-destination=report.xml', 'total.test.mjs'], process.env)
    } catch {
      // Failed tests are in the report.
    }
    const env = { ...process.env, SPECBOARD_URL: url, SPECBOARD_API_KEY: key, SPECBOARD_BOARD: board }
    run([mainFile(), 'report', 'report.xml'], env)
  }
}

/** Plays the act; returns whether the card is done in the end, proven by CI alone. */
export async function prove(url: string, ownerKey: string): Promise<boolean> {
  scene('7. A word is no proof')
  const owner = createClient({ url, key: ownerKey })
  const board = await owner.createBoard({
    name: 'Shop',
    description: 'Where CI has the last word.',
    settings: {
      min_evidence_tier: 'ci',
      require_merged_change: true,
      auto_done_on_merge: true,
    },
  })
  const spec = await owner.createSpec({ board_id: board.id, title: 'Totals', status: 'in_progress' })
  const repository = await owner.createRepository({ board_id: board.id, url: address, webhook_secret: secret })
  const ci = await owner.createAgent({ name: 'CI shop', kind: 'ci', board_ids: [board.id] })
  const preset = (await owner.listPresets()).items.find(({ name }) => name === 'Executor')!
  const hired = await owner.createAgent({ name: 'executor 3', preset_id: preset.id, board_ids: [board.id] })
  printStep(
    'owner',
    `asks for proof of CI and a merge on the board ${board.key}`,
    'a repository, and a key for its pipeline',
  )

  const executor = createClient({ url, key: hired.api_key! })
  const clone = new Clone()
  try {
    const card = await owner.createCard({ board_id: board.id, spec_id: spec.id, title: 'Round the total up' })
    await executor.claimCard({ card_id: card.id, start: true })
    clone.commit(`Round the total\n\nSpecboard: ${card.ref}`, wrong)
    await executor.moveCard({ card_id: card.id, target_status: 'validation', ...handedOver })
    printStep('executor 3', `hands ${card.ref} over`, '"all tests passed"')
    const { routing_blocked } = await owner.submitTaskValidation({ card_id: card.id, ...believed })
    printStep('owner', 'believes it and approves', `the gate ${routing_blocked?.gate} holds`)
    await refused(owner, card.id)
    clone.pipeline(url, ci.api_key!, board.id)
    await printProof(owner, card.id, 'runs the tests of the commit')
    await refused(owner, card.id)
    const sha = clone.commit(`Round up, not to the nearest\n\nSpecboard: ${card.ref}`, right)
    printStep('executor 3', 'mends it and pushes', sha.slice(0, 7))
    clone.pipeline(url, ci.api_key!, board.id)
    await printProof(owner, card.id, 'runs them again')
    const { last_sequence: after } = await owner.listBoardEvents({ board_id: board.id, order: 'desc', limit: 1 })
    await merge(url, repository.id, card.ref!, sha)
    const action = 'automation_moved,automation_refused'
    await owner.listBoardEvents({ board_id: board.id, action, after, wait_ms: patience })
    const { status } = await owner.getCard({ card_id: card.id })
    printStep('forge', 'tells that the pull request is merged', `${card.ref} ${status}`)
    return status === 'done'
  } finally {
    rmSync(clone.folder, { recursive: true, force: true })
  }
}

/** Tries to finish the card, and prints why not. */
async function refused(owner: Client, card_id: string): Promise<void> {
  try {
    await owner.moveCard({ card_id, target_status: 'done' })
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    printRefusal('owner', 'move_card to done', { status: error.status, detail: error.detail })
  }
}

async function printProof(owner: Client, entity_id: string, did: string): Promise<void> {
  const { status, tier, commit } = await owner.getProof({ entity_type: 'card', entity_id })
  printStep('CI shop', did, `${status} (${tier}) at ${commit?.slice(0, 7)}`)
}

/** Reports a merge as GitHub does. */
async function merge(url: string, repository: string, ref: string, sha: string): Promise<void> {
  const now = new Date().toISOString()
  const event = {
    action: 'closed',
    repository: acme,
    pull_request: {
      number: 12,
      state: 'closed',
      title: `Round the total up (${ref})`,
      body: '',
      draft: false,
      merged: true,
      merged_at: now,
      merge_commit_sha: sha,
      created_at: now,
      updated_at: now,
      user: { login: 'executor' },
      head: { ref: 'round-up', sha, repo: { full_name: 'acme/shop' } },
      base: { ref: 'main', sha, repo: { full_name: 'acme/shop' } },
    },
  }
  const status = await sendSigned(url, repository, 'pull_request', event, secret)
  if (status !== 202) throw new Error(`The event was answered ${status}.`)
}
