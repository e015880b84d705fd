/**
 * The board in the screenshots: the web shop of the demo in the middle of a working day, with a repository and its
 * pipeline.
 */
import { type Client, createClient } from '@specboard/client'
import { acme, sendSigned } from '../../../tools/lab/load/forge-events.ts'
import { allDone, type Hire, hiring, plan, work } from '../demo/shop.ts'

/** The board, and a spec and a card of it by reference. */
export interface BoardForPictures {
  readonly key: string
  readonly spec: string
  readonly card: string
}

const repositoryAddress = 'https://github.com/acme/shop'
const webhookSecret = 'what the forge and the service share'

const day = 24 * 60 * 60_000
const inDays = (days: number): string => new Date(Date.now() + days * day).toISOString()

interface SpecForPictures {
  readonly spec: string
  readonly criteria: readonly string[]
  readonly cards: readonly (readonly [title: string, priority: 'low' | 'medium' | 'high' | 'critical', label: string])[]
}

const plans: readonly SpecForPictures[] = [
  {
    spec: 'Gift cards',
    criteria: ['A gift card pays a part of an order', 'A spent one is refused in words'],
    cards: [
      ['Table for gift cards', 'high', 'database'],
      ['Redeem a part of a gift card', 'high', 'checkout'],
      ['Tell what is left on a card', 'medium', 'web'],
      ['Gift cards by mail', 'medium', 'mail'],
      ['Print a gift card', 'low', 'web'],
    ],
  },
  {
    spec: 'A search that forgives',
    criteria: ['One wrong letter still finds the article'],
    cards: [
      ['Words with one wrong letter', 'high', 'search'],
      ['Synonyms of a shop', 'medium', 'search'],
      ['Rank what is in stock first', 'medium', 'search'],
      ['Say what was searched instead', 'low', 'web'],
    ],
  },
  {
    spec: 'Orders that can be changed',
    criteria: ['Until it is packed, an order can be changed'],
    cards: [
      ['Change the address of an order', 'high', 'orders'],
      ['Take an article out of an order', 'medium', 'orders'],
      ['Cancel an order before it is packed', 'high', 'orders'],
      ['Refund what was taken out', 'critical', 'payment'],
    ],
  },
]

/** Makes the board. */
export async function makePicturedBoard(url: string, ownerKey: string): Promise<BoardForPictures> {
  const owner = createClient({ url, key: ownerKey })
  const board = await owner.createBoard({ name: 'Web shop', key: 'SHOP', description: 'Where customers order.' })
  const hire = hiring(owner, url, board.id)
  const spec_id = await plan(await hire('Planner'), board.id)
  await work(owner, await hire('Heron'), await hire('Reviewer'), { board_id: board.id, spec_id })
  const cards = await planMore(owner, board.id)
  await atWork(hire, cards)
  const { cards: ofSpec } = await owner.getSpec({ spec_id })
  await owner.createSprint({
    board_id: board.id,
    spec_id,
    card_ids: ofSpec.map(({ id }) => id),
    title: 'Guests keep their basket',
    objective: 'Nobody loses a basket by signing in.',
    start_date: inDays(-6),
    end_date: inDays(8),
  })
  const repository = await owner.createRepository({
    board_id: board.id,
    url: repositoryAddress,
    webhook_secret: webhookSecret,
  })
  const { ref: spec } = await owner.getSpec({ spec_id })
  const card = cards.get(provedTitle)!
  const proved = await prove(url, hire, { owner, repository: repository.id, board: board.id, card, spec: spec! })
  return { key: board.key, spec: spec!, card: proved }
}

const provedTitle = 'Redeem a part of a gift card'

/** Specs with their cards; the ids of the cards by their titles. */
async function planMore(owner: Client, board_id: string): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  for (const { spec, criteria, cards } of plans) {
    const { id: spec_id } = await owner.createSpec({
      board_id,
      title: spec,
      status: 'in_progress',
      acceptance_criteria: [...criteria],
    })
    for (const [title, priority, label] of cards)
      ids.set(title, (await owner.createCard({ board_id, spec_id, title, priority, labels: [label] })).id)
  }
  const waits = async (card: string, on: string) =>
    owner.addCardDependency({ card_id: ids.get(card)!, depends_on_id: ids.get(on)! })
  await waits(provedTitle, 'Table for gift cards')
  await waits('Print a gift card', 'Tell what is left on a card')
  await waits('Refund what was taken out', 'Take an article out of an order')
  await waits('Say what was searched instead', 'Words with one wrong letter')
  return ids
}

/** Agents at their cards: one is done, some work, one has asked a question, one keeps being refused. */
async function atWork(hire: Hire, cards: ReadonlyMap<string, string>): Promise<void> {
  const claim = async (agent: Client, title: string): Promise<string> => {
    const card_id = cards.get(title)!
    await agent.claimCard({ card_id, start: true })
    return card_id
  }
  const lark = await hire('Lark')
  const table = await claim(lark, 'Table for gift cards')
  await lark.moveCard({
    card_id: table,
    target_status: 'validation',
    conclusion: 'The table and its index.',
    ...allDone,
  })
  await (await hire('Wren')).submitTaskValidation({
    card_id: table,
    outcome: 'success',
    summary: 'Read the migration, and ran it up and down.',
    auto_move: true,
  })
  const address = await claim(lark, 'Change the address of an order')
  await lark.saveCheckpoint({ card_id: address, text: 'The form is there; next: the mail that confirms it.' })
  const otter = await hire('Otter')
  const letter = await claim(otter, 'Words with one wrong letter')
  await otter.moveCard({ card_id: letter, target_status: 'in_progress' })
  await otter.saveCheckpoint({ card_id: letter, text: 'Distances are right; long words are slow.' })
  const finch = await hire('Finch')
  const mail = await claim(finch, 'Gift cards by mail')
  await finch.askCardQuestion({ card_id: mail, question: 'May a gift card be sent on the day of the order?' })
  const swift = await hire('Swift')
  const stock = await claim(swift, 'Rank what is in stock first')
  for (let time = 0; time < 6; time++)
    await swift.moveCard({ card_id: stock, target_status: 'done' }).catch(() => undefined)
}

interface ProofForPictures {
  readonly owner: Client
  readonly repository: string
  readonly board: string
  readonly card: string
  /** A spec whose scenarios the tests name. */
  readonly spec: string
}

const [base, first, second] = ['a', 'b', 'c'].map(digit => digit.repeat(40)) as [string, string, string]

/** Creates a card with commits, a pull request and tests reported by the forge and CI; returns its reference. */
async function prove(
  url: string,
  hire: Hire,
  { owner, repository, board, card, spec }: ProofForPictures,
): Promise<string> {
  const kestrel = await hire('Kestrel')
  await owner.updateCard({
    card_id: card,
    description:
      'A gift card pays as much of an order as is left on it; the customer pays the rest as usual.\n\nA card that is spent is refused, and the page says so.',
  })
  await kestrel.claimCard({ card_id: card, start: true })
  const ref = (await owner.getCard({ card_id: card })).ref!
  await kestrel.recordChanges({
    board_id: board,
    repository_id: repository,
    branches: [
      { name: 'main', head: base, is_default: true },
      { name: 'gift-cards', head: second },
    ],
    commits: [
      commit(base, [], 'Begin', 'main'),
      commit(first, [base], `Take the amount off a gift card\n\nSpecboard: ${ref}`, 'gift-cards'),
      commit(second, [first], `Refuse a spent card in words\n\nSpecboard: ${ref}`, 'gift-cards'),
    ],
  })
  const ci = await hire('CI', 'ci')
  const cases = [
    'takes the amount off',
    'leaves what is over',
    'refuses a spent card in words',
    `a guest signs in ${spec}/ts1`,
    `the larger amount wins ${spec}/ts2`,
  ]
  const text = `<testsuite name="checkout">${cases.map(name => `<testcase name="${name}" time="0.02"/>`).join('')}</testsuite>`
  await ci.submitTestReport({
    board_id: board,
    repository_id: repository,
    commit: second,
    branch: 'gift-cards',
    name: 'unit',
    run_url: `${repositoryAddress}/actions/runs/4711`,
    files: [{ name: 'report.xml', text }],
  })
  const tell = async (event: string, payload: object) => {
    const status = await sendSigned(url, repository, event, { repository: acme, ...payload }, webhookSecret)
    if (status !== 202) throw new Error(`The event ${event} was answered ${status}.`)
  }
  await tell('pull_request', { action: 'opened', pull_request: pullRequest(ref) })
  for (const name of ['unit', 'lint'])
    await tell('check_run', {
      action: 'completed',
      check_run: { name, head_sha: second, status: 'completed', conclusion: 'success', completed_at: inDays(0) },
    })
  return ref
}

const commit = (hash: string, parents: readonly string[], message: string, branch: string) => {
  const [subject, body] = message.split('\n\n')
  return { sha: hash, parents: [...parents], subject: subject!, body: body ?? null, branch, author_name: 'Kestrel' }
}

const pullRequest = (ref: string) => ({
  number: 12,
  state: 'open',
  title: `Pay a part with a gift card (${ref})`,
  body: '',
  draft: false,
  merged: false,
  created_at: inDays(0),
  updated_at: inDays(0),
  user: { login: 'kestrel' },
  head: { ref: 'gift-cards', sha: second, repo: { full_name: 'acme/shop' } },
  base: { ref: 'main', sha: base, repo: { full_name: 'acme/shop' } },
})
