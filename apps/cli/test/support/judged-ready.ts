import { CardPriority } from '@specboard/contract'
import { rowsOf } from './event-log.ts'
import type { World } from './world.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows of all tables
type Row = Record<string, any>

/** The stored row of a card. */
export type StoredCard = Row & { readonly labels: string | null; readonly assignee_id: string | null }

/** A card that can be taken up, as list_ready_cards should answer it. */
export interface Judged {
  readonly id: string
  readonly unblocks: number
}

const tables = ['cards', 'specs', 'sprints', 'card_dependencies', 'claims'] as const

/** The attempts that a card of a new board has (crew 4.6). */
const maxAttempts = 3

const order = ['yours', 'rework', 'former', 'begun', 'ready'] as const

const openSpecs: Readonly<Record<string, readonly string[]>> = {
  test: ['validated', 'in_progress', 'done'],
  normal: ['in_progress', 'done'],
  bug: ['in_progress', 'done'],
}

type Rows = Readonly<Record<Exclude<(typeof tables)[number], 'cards'>, readonly Row[]>> & {
  readonly cards: readonly StoredCard[]
}

/** The stored rows of what cards wait for, in their current state. */
export class StoredBoard {
  readonly #rows: Rows
  readonly #now = new Date().toISOString()

  constructor(world: World, boardId: string) {
    const rows = rowsOf(world, tables)
    const ofBoard = (table: (typeof tables)[number]): Row[] => rows.get(table)!.filter(row => row.board_id === boardId)
    this.#rows = {
      cards: ofBoard('cards') as StoredCard[],
      specs: ofBoard('specs'),
      sprints: ofBoard('sprints'),
      card_dependencies: ofBoard('card_dependencies'),
      claims: ofBoard('claims'),
    }
  }

  #live(): Row[] {
    return this.#rows.claims.filter(claim => claim.expires_at > this.#now)
  }

  /** The cards that an agent has a live claim on. */
  heldBy(agent: string): ReadonlySet<string> {
    return new Set(
      this.#live()
        .filter(claim => claim.agent_id === agent)
        .map(({ card_id }) => card_id),
    )
  }

  /** The cards that an agent may take up, judged one by one and sorted, as work 2 and crew 4.5 say it. */
  offered(agent: string, selects: (card: StoredCard) => boolean): Judged[] {
    const holder = new Map(this.#live().map(claim => [claim.card_id, claim.agent_id]))
    const placed = this.#rows.cards
      .filter(selects)
      .map(card => ({ id: card.id, unblocks: this.#unblocks(card.id), card, why: this.#why(card, agent, holder) }))
    const keys = ({ card, unblocks, why }: (typeof placed)[number]) => [
      order.indexOf(why!),
      CardPriority.options.indexOf(card.priority),
      card.due_date ?? '~',
      -unblocks,
      card.position,
      card.created_at,
      card.id,
    ]
    return placed
      .filter(({ why }) => why !== null)
      .sort((a, b) => compared(keys(a), keys(b)))
      .map(({ id, unblocks }) => ({ id, unblocks }))
  }

  #why(card: StoredCard, agent: string, holder: ReadonlyMap<string, string>): (typeof order)[number] | null {
    const isBegun = card.archived === 0 && ['started', 'in_progress'].includes(card.status)
    if (!isBegun && !this.#isReady(card)) return null
    if (holder.get(card.id) === agent) return 'yours'
    if (holder.has(card.id) || this.#attempts(card) >= maxAttempts) return null
    if (!isBegun) return 'ready'
    if (card.reserved_until !== null && card.reserved_until > this.#now)
      return card.reserved_for === agent ? 'rework' : null
    if (this.#links().some(link => link.card_id === card.id)) return null
    const claimed = this.#rows.claims.find(({ card_id }) => card_id === card.id)?.agent_id
    return [card.moved_by, card.reserved_for, claimed].includes(agent) ? 'former' : 'begun'
  }

  #attempts(card: StoredCard): number {
    const claim = this.#rows.claims.find(({ card_id }) => card_id === card.id)
    const lost = card.status !== 'not_started' && claim?.stage === 'work' && claim.expires_at <= this.#now ? 1 : 0
    return card.failed_attempts + card.lost_attempts + lost
  }

  #isReady(card: Row): boolean {
    if (card.archived !== 0 || card.status !== 'not_started') return false
    if (this.#links().some(link => link.card_id === card.id)) return false
    if (card.spec_id === null) return true
    const spec = this.#rows.specs.find(({ id }) => id === card.spec_id)!
    if (!openSpecs[card.card_type]!.includes(spec.status)) return false
    const usable = this.#rows.sprints.some(
      sprint => sprint.spec_id === spec.id && sprint.archived === 0 && sprint.status !== 'cancelled',
    )
    return !usable || this.#rows.sprints.find(({ id }) => id === card.sprint_id)?.status === 'active'
  }

  /** The links between open cards. */
  #links(): Row[] {
    const isOpen = ({ archived, status }: Row) => archived === 0 && status !== 'done' && status !== 'cancelled'
    const open = new Set(this.#rows.cards.filter(isOpen).map(({ id }) => id))
    return this.#rows.card_dependencies.filter(link => open.has(link.card_id) && open.has(link.depends_on_id))
  }

  #unblocks(card: string): number {
    const links = this.#links()
    const reached = new Set([card])
    for (const at of reached) for (const link of links) if (link.depends_on_id === at) reached.add(link.card_id)
    return reached.size - 1
  }
}

function compared(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  const at = a.findIndex((key, index) => key !== b[index])
  if (at < 0) return 0
  return a[at]! < b[at]! ? -1 : 1
}
