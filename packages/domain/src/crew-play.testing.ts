/** Plays a crew on a drawn board: each agent takes the first item that it is offered (crew 4.8). */
import { type OperationName, operationByName } from '@specboard/contract'
import { type Crew, report } from './drawn-crew.testing.ts'
import type { Caller } from './kernel/context.ts'
import type { Bench } from './next-actions/drawn-board.testing.ts'

const because = 'It is as it should be.'

/** The arguments that a worker that knows the schema adds to the call of an item. */
const extraArguments: Readonly<Partial<Record<OperationName, object>>> = {
  evaluate_ideation: { domains: 1, ambiguity: 1, dependencies: 1 },
  create_refinement: { title: 'Story' },
  update_refinement: { in_scope: ['All of it'] },
  create_card: { title: 'Card' },
  create_sprint: { title: 'Sprint' },
  record_scenario_result: { evidence: { test_run_id: 'run' } },
  submit_spec_validation: {
    completeness: 90,
    completeness_justification: because,
    assertiveness: 90,
    assertiveness_justification: because,
    ambiguity: 10,
    ambiguity_justification: because,
    general_justification: because,
    recommendation: 'approve',
  },
  submit_spec_evaluation: {
    breakdown_completeness: 90,
    breakdown_justification: because,
    granularity: 90,
    granularity_justification: because,
    dependency_coherence: 90,
    dependency_justification: because,
    test_coverage_quality: 90,
    test_coverage_justification: because,
    overall_score: 90,
    overall_justification: because,
    recommendation: 'approve',
  },
  submit_sprint_evaluation: { overall_score: 90, recommendation: 'approve' },
  answer_ideation_question: { answer: 'Because.' },
  answer_refinement_question: { answer: 'Because.' },
  answer_spec_question: { answer: 'Because.' },
  answer_card_question: { answer: 'Because.' },
}

export interface Item {
  readonly id: string
  readonly kind: string
  readonly record: { readonly entity_type: string; readonly id: string; readonly ref: string }
  // biome-ignore lint/suspicious/noExplicitAny: data of all kinds
  readonly data: any
  readonly operation: OperationName
  readonly arguments: Readonly<Record<string, unknown>>
}

/** A card that an agent holds. */
interface HeldCard {
  readonly ref: string
  readonly stage: string
  readonly needs: string
  readonly blocked_by: readonly string[]
}

export interface Row {
  readonly type: string
  readonly id: string
  readonly ref: string
  readonly status: string
  readonly ends: boolean
  /** What the record may wait for. */
  readonly waits: readonly string[]
}

/** Kinds that end only when somebody other than a worker decides, or that report a shortage. */
const forOthers: ReadonlySet<string> = new Set(['crew_gap', 'card_attempts', 'notice', 'webhook_failing'])

/** Kinds that are news: they disappear once read. */
const news: ReadonlySet<string> = new Set(['answer', 'claim_lost', 'card_changed', 'overlap'])

/** Plays a crew on a board: each agent takes the first item that it is offered. */
export class Play {
  readonly crew: Crew
  readonly #bench: Bench
  calls = 0
  /** The number of calls that did more than take something. */
  steps = 0
  #judged = 0
  readonly #done: string[] = []

  constructor(bench: Bench, crew: Crew) {
    this.#bench = bench
    this.crew = crew
  }

  inbox = async (as: Caller): Promise<{ items: readonly Item[]; holding: readonly HeldCard[] }> => {
    const { items, holding } = await this.#bench.ok(as, 'list_my_inbox', { board_id: this.crew.boardId, limit: 200 })
    return { items, holding }
  }

  /** Makes a call that an item leads to, which must succeed at that moment for the agent it is shown to (L2, L3). */
  async #take(as: Caller, label: string, operation: OperationName, args: object): Promise<void> {
    this.calls++
    if (operation !== 'claim_card' && operation !== 'release_claim') this.steps++
    const fields = { ...extraArguments[operation], ...args }
    this.#done.push(`${as.name}: ${label} → ${operation} ${JSON.stringify(args)}`)
    const { refusal } = await this.#bench.call(as, operation, fields)
    if (refusal !== undefined) throw new Error(`${this.log()}\nrefused: ${JSON.stringify(refusal.detail)}`)
  }

  log = (): string => this.#done.slice(-40).join('\n')

  /** A verdict on a card: every second one fails the first time. */
  #verdict(): object {
    return { outcome: this.#judged++ % 2 === 0 ? 'success' : 'failed', summary: because }
  }

  async #ofItem(as: Caller, item: Item): Promise<boolean> {
    const { kind, operation } = item
    if (forOthers.has(kind)) return false
    if (news.has(kind)) {
      await this.#take(as, kind, 'dismiss_inbox_items', { ids: [item.id] })
      return true
    }
    if (operationByName.get(operation)!.method === 'GET') return false
    const asks: readonly string[] = item.data?.asks ?? []
    const parts = Object.fromEntries(Object.entries(report).filter(([name]) => asks.includes(name)))
    const verdict = operation === 'submit_task_validation' ? this.#verdict() : {}
    const choice = item.data?.choices?.[0]
    const picked = choice === undefined ? {} : { selected: [choice.id] }
    await this.#take(as, kind, operation, { ...item.arguments, ...parts, ...verdict, ...picked })
    return true
  }

  /** Continues the agent's claimed card, following the next step that the service reports. */
  async #goOn(as: Caller, { ref, stage, needs, blocked_by }: HeldCard): Promise<boolean> {
    if (needs.startsWith('wait for') || blocked_by.length > 0) return false
    if (needs === 'claim_card') await this.#take(as, `${ref} ${stage}`, 'claim_card', { card_id: ref })
    else if (needs === 'release_claim') await this.#take(as, `${ref} ${stage}`, 'release_claim', { card_id: ref })
    else if (needs.startsWith('submit_task_validation'))
      await this.#take(as, `${ref} ${stage}`, 'submit_task_validation', { card_id: ref, ...this.#verdict() })
    else if (needs.startsWith('update_card'))
      await this.#take(as, `${ref} ${stage}`, 'update_card', { card_id: ref, regression_test: 'a test' })
    else if (needs.startsWith('record_scenario_result')) {
      const [, spec_id, scenario_id] = /^record_scenario_result ([^/]+)\/(\S+):/.exec(needs)!
      await this.#take(as, `${ref} ${stage}`, 'record_scenario_result', { spec_id, scenario_id, status: 'passed' })
    } else {
      const [, target_status, asks = ''] = /^move_card (\w+)(?:: (.*))?$/.exec(needs)!
      const parts = Object.fromEntries(Object.entries(report).filter(([name]) => asks.split(', ').includes(name)))
      await this.#take(as, `${ref} ${stage}`, 'move_card', { card_id: ref, target_status, ...parts })
    }
    return true
  }

  async #claim(as: Caller, purpose: 'start' | 'validation'): Promise<boolean> {
    const { body, refusal } = await this.#bench.call(as, 'claim_next_card', {
      board_id: this.crew.boardId,
      for: purpose,
      another: true,
    })
    if (refusal !== undefined || body.card === null) return false
    this.calls++
    this.#done.push(`${as.name}: claimed ${body.card.ref} for ${purpose}`)
    return true
  }

  /** Lets an agent do the first thing that it is offered; false if it is offered nothing. */
  async turn(as: Caller): Promise<boolean> {
    const { items, holding } = await this.inbox(as)
    for (const card of holding) {
      if (await this.#goOn(as, card)) return true
    }
    for (const item of items) if (await this.#ofItem(as, item)) return true
    return (await this.#claim(as, 'start')) || this.#claim(as, 'validation')
  }

  /** The records of the board, and what each waits for. */
  async records(): Promise<readonly Row[]> {
    const board_id = this.crew.boardId
    const list = (name: OperationName) =>
      this.#bench.ok(this.#bench.owner, name, { board_id, limit: 200, include_standing: true })
    const cards = await list('list_cards')
    const specs = await list('list_specs')
    const sprints = await list('list_board_sprints')
    const ideations = await list('list_ideations')
    const refinements = []
    for (const { id: ideation_id } of ideations)
      refinements.push(...(await this.#bench.ok(this.#bench.owner, 'list_refinements', { ideation_id })))
    const rows: Row[] = []
    // biome-ignore lint/suspicious/noExplicitAny: records of all kinds
    const add = (type: string, r: any, ends: boolean, waits: readonly string[] = []) =>
      rows.push({ type, id: r.id, ref: r.ref, status: r.status, ends: ends || r.status === 'cancelled', waits })
    for (const one of cards) {
      const awaited =
        one.blocked_by === 0
          ? []
          : await this.#bench.ok(this.#bench.owner, 'list_card_dependencies', { card_id: one.id })
      const ids = awaited.map(({ id }: { id: string }) => id)
      add('card', one, one.status === 'done', [...ids, one.spec_id, one.sprint_id].filter(Boolean))
    }
    for (const one of sprints)
      add('sprint', one, one.status === 'closed', [
        ...(one.status === 'active' ? cardsIn(cards, 'sprint_id', one.id) : []),
        ...(one.status === 'draft' ? [one.spec_id] : []),
      ])
    for (const one of specs) {
      const own = sprints.filter((s: { spec_id: string }) => s.spec_id === one.id).map(({ id }: { id: string }) => id)
      const waits = one.status === 'in_progress' ? [...cardsIn(cards, 'spec_id', one.id), ...own] : []
      add('spec', one, one.status === 'done' || one.standing === true, waits)
    }
    const madeOf = (field: string, id: string, among: readonly object[]) =>
      among.some(one => (one as Readonly<Record<string, unknown>>)[field] === id)
    for (const one of refinements)
      add('refinement', one, one.status === 'done' && madeOf('refinement_id', one.id, specs))
    for (const one of ideations)
      add('ideation', one, one.status === 'done' && madeOf('ideation_id', one.id, [...specs, ...refinements]))
    return rows
  }

  /** Why records are stuck, and what holds cards back from each crew member. */
  async why(stuck: readonly Row[]): Promise<string> {
    const lines: string[] = []
    for (const { type: entity_type, id: entity_id, ref } of stuck) {
      const { moves } = await this.#bench.ok(this.#bench.owner, 'get_allowed_moves', { entity_type, entity_id })
      lines.push(`${ref}: ${JSON.stringify(moves)}`)
    }
    for (const as of [...this.crew.agents, this.#bench.owner]) {
      const { body, refusal } = await this.#bench.call(as, 'claim_next_card', {
        board_id: this.crew.boardId,
        another: true,
      })
      lines.push(`${as.name}: ${JSON.stringify(body?.waiting?.cards ?? refusal?.code)}`)
    }
    return lines.join('\n')
  }

  /** The ids and references of all records that somebody is notified of. */
  async named(as: Caller): Promise<ReadonlySet<string>> {
    const { items, holding } = await this.inbox(as)
    const found = new Set<string>([...items.map(({ record }) => record.id), ...holding.map(({ ref }) => ref)])
    for (const purpose of ['start', 'validation']) {
      const { body } = await this.#bench.call(as, 'list_ready_cards', { board_id: this.crew.boardId, for: purpose })
      for (const card of body ?? []) found.add(card.id)
    }
    return found
  }
}

// biome-ignore lint/suspicious/noExplicitAny: cards of any answer
const cardsIn = (cards: readonly any[], field: 'spec_id' | 'sprint_id', id: string): string[] =>
  cards.filter(card => card[field] === id).map(card => card.id)
