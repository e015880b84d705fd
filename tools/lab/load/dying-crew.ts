import { type Client, createClient } from '@specboard/client'
import { doneReport } from '../../../apps/cli/test/support/report.ts'
import { inParallel } from '../harness/in-parallel.ts'

/** How long a claim lasts, s: the minimum, so that the work of dead agents is taken over soon. */
const leaseSeconds = 60

/** How long an idle agent waits for work; the claim of a dead one has expired by then. */
const waitMs = (leaseSeconds + 5) * 1_000

/** The share of verdicts that send a card back. */
const failing = 0.1

/** The share of agents that judge. */
const judging = 0.2

interface Plan {
  readonly cards: number
  /** The share of claims during which the agent dies. */
  readonly dying: number
}

/** What became of the cards. */
interface Outcome {
  readonly done: number
  readonly inInbox: number
  /** References of cards that are neither done nor in a person's inbox. */
  readonly untold: readonly string[]
}

/** A crew on a board of its own, whose executors die at work. */
export class Crew {
  readonly #url: string
  readonly #owner: Client
  readonly #boardId: string
  readonly #plan: Plan
  /** The agent that is working on a card, by card. */
  readonly #workers = new Map<string, symbol>()
  #made = 0
  deaths = 0
  failed = 0
  /** How often a card was given to an agent while another was working on it. */
  twice = 0

  private constructor(url: string, owner: Client, boardId: string, plan: Plan) {
    this.#url = url
    this.#owner = owner
    this.#boardId = boardId
    this.#plan = plan
  }

  /** Makes the board and its cards; every tenth one waits for the card before it. */
  static async on(url: string, owner: Client, plan: Plan): Promise<Crew> {
    const { id: board_id } = await owner.createBoard({ name: 'Crew', description: '' })
    // The agent that has to redo a card may be dead: others get it after a minute, not after an hour.
    await owner.updateBoard({ board_id, settings: { require_task_validation: true, rework_reserve_minutes: 1 } })
    const { id: spec_id } = await owner.createSpec({ board_id, status: 'in_progress', title: 'Spec' })
    const cards = await inParallel(Array.from({ length: plan.cards }), 16, (_, index) =>
      owner.createCard({ board_id, spec_id, title: `Card ${index}` }),
    )
    const waiting = cards.flatMap(({ id: card_id }, index) =>
      index % 10 === 9 ? [{ card_id, depends_on_id: cards[index - 1]!.id }] : [],
    )
    await inParallel(waiting, 16, link => owner.addCardDependency(link))
    return new Crew(url, owner, board_id, plan)
  }

  /** Works until nobody gets any more work. */
  async work(agents: number): Promise<void> {
    const judges = Math.max(1, Math.round(agents * judging))
    await Promise.all(
      Array.from({ length: agents }, (_, index) => (index < judges ? this.#judge() : this.#executors())),
    )
  }

  /** The outcome of the cards, by their status and the inbox of the board's owner, a person. */
  async outcome(): Promise<Outcome> {
    const open: { readonly id: string; readonly ref: string }[] = []
    for (const status of ['not_started', 'started', 'in_progress', 'validation', 'on_hold'] as const)
      open.push(...(await this.#owner.listCards({ board_id: this.#boardId, status })).items)
    const { items } = await this.#owner.listMyInbox({ board_id: this.#boardId, limit: 200 })
    const inboxIds = new Set(items.map(({ record }) => record.id))
    const isTold = ({ id }: { readonly id: string }) => inboxIds.has(id)
    const waiting = await this.#waitingFor(inboxIds, open)
    const untold = open.filter(card => !isTold(card) && !waiting.has(card.id))
    const { total: done } = await this.#owner.listCards({ board_id: this.#boardId, status: 'done', limit: 1 })
    return { done, inInbox: open.length - untold.length, untold: untold.map(({ ref }) => ref) }
  }

  /** The open cards that wait for a card in a person's inbox. */
  async #waitingFor(
    inboxIds: ReadonlySet<string>,
    open: readonly { readonly id: string }[],
  ): Promise<ReadonlySet<string>> {
    const found = new Set<string>()
    for (const { id: card_id } of open) {
      const { items } = await this.#owner.listCardDependencies({ card_id })
      if (items.some(({ id }) => inboxIds.has(id))) found.add(card_id)
    }
    return found
  }

  async #agent(preset_id: string): Promise<Client> {
    const name = `${preset_id} ${++this.#made}`
    const { api_key } = await this.#owner.createAgent({ name, preset_id, board_ids: [this.#boardId] })
    return createClient({ url: this.#url, key: api_key! })
  }

  /** One executor after the other: a dying one leaves its claim, and the next one begins. */
  async #executors(): Promise<void> {
    while (!(await this.#execute(await this.#agent('Executor')))) this.deaths++
  }

  /** Takes card after card; false if it died with one, true if none is left. */
  async #execute(client: Client): Promise<boolean> {
    const me = Symbol('executor')
    for (;;) {
      const next = { board_id: this.#boardId, start: true, lease_seconds: leaseSeconds }
      const { card } = await this.#claimed(client, next)
      if (card === null) return true
      const other = this.#workers.get(card.id)
      if (other !== undefined && other !== me) this.twice++
      this.#workers.set(card.id, me)
      await new Promise(resolve => setTimeout(resolve, Math.random() * 20))
      const isDying = Math.random() < this.#plan.dying
      if (!isDying) await client.moveCard({ card_id: card.id, target_status: 'validation', ...doneReport })
      if (this.#workers.get(card.id) === me) this.#workers.delete(card.id)
      if (isDying) return false
    }
  }

  async #judge(): Promise<void> {
    const client = await this.#agent('Validator')
    for (;;) {
      const next = { board_id: this.#boardId, for: 'validation', lease_seconds: leaseSeconds } as const
      const { card } = await this.#claimed(client, next)
      if (card === null) return
      const outcome = Math.random() < failing ? 'failed' : 'success'
      if (outcome === 'failed') this.failed++
      await client.submitTaskValidation({ card_id: card.id, outcome, summary: 'Looked at it.' })
    }
  }

  /** The next card; waits as long as a dead agent may hold one. */
  async #claimed(client: Client, next: Parameters<Client['claimNextCard']>[0]) {
    const answer = await client.claimNextCard(next)
    return answer.card === null ? client.claimNextCard({ ...next, wait_ms: waitMs }) : answer
  }
}
