import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@specboard/client'
import { doneReport } from '../../../apps/cli/test/support/report.ts'
import { Caller, type Cost } from '../../agent-cost/caller.ts'
import { inParallel } from '../harness/in-parallel.ts'

/** How long an idle agent waits for work, ms: longer than the claim of a dead agent lasts. */
const waitMs = 65_000

/** How long the dying agent holds its card, s: the minimum. */
const leaseSeconds = 60

/** The index of the card whose first verdict is a failure. */
const passedBefore = 4

/**
 * Executors and one validator that finish the cards of a board using only the tools for models: one executor dies with
 * its first claim, one verdict fails. Every call is counted.
 */
export class CalledCrew {
  readonly #endpoint: string
  readonly #owner: Client
  readonly #board: { readonly id: string; readonly key: string }
  readonly #cards: number
  readonly #cost: Cost
  readonly #workers = new Map<string, string>()
  #judged = 0
  #passed = 0
  /** How often a card was given to an agent while another was working on it. */
  twice = 0

  private constructor(
    endpoint: string,
    owner: Client,
    board: { readonly id: string; readonly key: string },
    cards: number,
    cost: Cost,
  ) {
    this.#endpoint = endpoint
    this.#owner = owner
    this.#board = board
    this.#cards = cards
    this.#cost = cost
  }

  /** Makes the board and its cards, in rows of six: each card waits for the one above it. */
  static async on(url: string, owner: Client, cards: number, cost: Cost): Promise<CalledCrew> {
    const board = await owner.createBoard({ name: 'Crew', description: '' })
    const { id: board_id, key } = board
    await owner.updateBoard({ board_id, settings: { require_task_validation: true } })
    const { id: spec_id } = await owner.createSpec({ board_id, status: 'in_progress', title: 'A cart for the shop' })
    const cardIds: string[] = []
    for (let index = 0; index < cards; index++) {
      const { id } = await owner.createCard({
        board_id,
        spec_id,
        title: `Step ${index + 1} of the cart`,
        description: 'Keep the lines of the cart, and show their sum with tax below them.',
        ...(index >= 6 && { depends_on: [cardIds[index - 6]!] }),
      })
      cardIds.push(id)
    }
    return new CalledCrew(`${url}/mcp?toolsets=core`, owner, { id: board_id, key: key! }, cards, cost)
  }

  /** Works until every card is done, or nobody gets any more work; returns how many cards are done. */
  async work(executors: number): Promise<number> {
    const names = Array.from({ length: executors }, (_, index) => `Executor ${index + 1}`)
    const crew = await inParallel(names, 4, name => this.#caller(name, 'Executor'))
    const judge = await this.#caller('Judge', 'Validator')
    const [dying, ...others] = crew
    await this.#die(dying!)
    await Promise.all([this.#judge(judge), ...others.map(each => this.#execute(each))])
    return (await this.#owner.listCards({ board_id: this.#board.id, status: 'done', limit: 1 })).total
  }

  async #caller(name: string, preset_id: string): Promise<Caller> {
    const { api_key } = await this.#owner.createAgent({ name, preset_id, board_ids: [this.#board.id] })
    return new Caller(name, this.#endpoint, api_key!, this.#cost, false)
  }

  /** Takes a card and disappears. */
  async #die(caller: Caller): Promise<void> {
    await this.#next(caller, { start: true, lease_seconds: leaseSeconds })
  }

  async #execute(caller: Caller): Promise<void> {
    await caller.call('list_my_inbox')
    for (let card = await this.#work(caller); card !== undefined; card = await this.#work(caller)) {
      await caller.call('save_checkpoint', { card_id: card, text: 'The lines are kept; the sum is next.' })
      // Simulates work, while the others continue.
      await pause(Math.random() * 200)
      this.#workers.delete(card)
      await caller.call('move_card', { card_id: card, target_status: 'validation', ...doneReport })
    }
  }

  async #work(caller: Caller): Promise<string | undefined> {
    const card = await this.#next(caller, { start: true })
    if (card === undefined) return
    if (this.#workers.has(card)) this.twice++
    this.#workers.set(card, caller.name)
    return card
  }

  async #judge(caller: Caller): Promise<void> {
    await caller.call('list_my_inbox')
    for (let card = await this.#toJudge(caller); card !== undefined; card = await this.#toJudge(caller)) {
      const outcome = this.#judged++ === passedBefore ? 'failed' : 'success'
      const summary = outcome === 'failed' ? 'The sum lacks the tax.' : 'Read the change and ran it.'
      await caller.call('submit_task_validation', { card_id: card, outcome, summary })
      if (outcome === 'success') this.#passed++
    }
  }

  async #toJudge(caller: Caller): Promise<string | undefined> {
    return this.#passed === this.#cards ? undefined : this.#next(caller, { for: 'validation' })
  }

  /** The next card; waits as long as a dead agent may hold one. */
  async #next(caller: Caller, next: object): Promise<string | undefined> {
    const { card } = await caller.call('claim_next_card', { board_id: this.#board.key, wait_ms: waitMs, ...next })
    return card?.id
  }
}
