import { runCooperatively } from '@specboard/contract'
import type { Steps } from '../../kernel/implement.ts'
import { yieldToEventLoop } from '../../lib/event-loop.ts'
import { KeyedQueue } from '../../lib/keyed-queue.ts'
import { SortedList } from '../../lib/sorted.ts'
import { TextCache } from '../../lib/text-cache.ts'
import type { Db } from '../../schema/database.ts'
import type { DependencyLink } from '../cards/dependencies/cycle.ts'
import type { FilterColumns } from '../cards/list/filters.ts'
import { byPlace, byStanding, placeOf, type SortKey, type Startable, startableAmong } from '../cards/list/ready.ts'
import {
  type BoardEvent,
  changedUnnamed,
  columnAfter,
  eventsFrom,
  gatesOf,
  lastEvent,
  linksOf,
  type NamedRecords,
  namedBy,
  notStartedOf,
  openCardsAfter,
  positionsOf,
  specsOfSprints,
  type Tallies,
  talliesOf,
} from './board-changes.ts'
import { OpenLinks } from './open-links.ts'

/** The number of cards read or evaluated at a time, in 5 to 10 ms; other calls get their turn in between. */
const cardsAtOnce = 2_000

/** The number of cards re-evaluated to follow events; if there are more, all are, in turns. */
const maxFollowed = 1_000

/** The number of events that are followed; after more of them everything is rebuilt. */
const maxEvents = 2_000

/** The number of shared texts, each stored once, after which they are collected anew. */
const maxTexts = 10_000

/** A card that anybody could start, apart from claims. */
interface KeptCard extends SortKey, FilterColumns {}

/**
 * What must be built before an index can be queried: all of it, the counts and what follows, or only the order of the
 * cards.
 */
type Missing = 'all' | 'counts' | 'cards'

/**
 * Thrown by a read that queries an index which is not at the read's own state: part of it must be built first, or it is
 * ahead, because the read began before the index last followed events.
 */
export class NotCurrent extends Error {
  override readonly name = 'NotCurrent'
  readonly standing: 'missing' | 'ahead'

  constructor(standing: NotCurrent['standing']) {
    super(`The index of ready cards is ${standing}.`)
    this.standing = standing
  }
}

/** An active claim. */
interface Claim {
  readonly card_id: string
  readonly agent_id: string
}

/** The part of the ready cards that a caller asks for. */
export interface ReadySelection {
  readonly agent: string
  /** The active claims of the board. */
  readonly claims: readonly Claim[]
  /** Ids of cards to leave out. */
  readonly skipped: readonly string[]
  /** The cards that the filters select; undefined for all. */
  readonly matches: ((card: FilterColumns) => boolean) | undefined
  readonly offset: number
  readonly limit: number
}

/**
 * The cards of a board that can be started, in order, independent of who asks, and what each open card unblocks. It
 * follows the event log: the records that events name are read and evaluated again, under the same conditions as all
 * others.
 */
export class ReadyIndex {
  readonly #board: string
  readonly #queue = new KeyedQueue()
  #missing: Missing | undefined = 'all'
  #making: Promise<void> | undefined
  /** The last event that was followed. */
  #last: Pick<BoardEvent, 'id' | 'seq'> | undefined
  #tallies: Tallies | undefined
  /**
   * Whether events must still be followed that happened while the cards were evaluated, some before and some after
   * them.
   */
  #isNew = true
  #links = new OpenLinks([])
  /** What the gates of each spec's cards depended on when they were evaluated. */
  readonly #gates = new Map<string, string>()
  #ready = new SortedList<KeptCard>(byPlace)
  readonly #kept = new Map<string, KeptCard>()
  readonly #texts = new TextCache<string>(maxTexts)

  constructor(board: string) {
    this.#board = board
  }

  /** How many cards, links and specs are stored. */
  get size(): number {
    return this.#kept.size + this.#links.size + this.#gates.size
  }

  /** How many open cards wait for a card, directly or through others (work 2). */
  readonly unblocks = (card: string): number => this.#links.unblocks(card)

  /**
   * Follows the events that a read sees, and then queries. Reads run one after the other, and none of them waits for
   * another read to begin: one that finds something missing ends before it is built.
   * @param ask runs synchronously, before another read follows
   * @throws NotCurrent
   */
  follow<Value>(db: Db, ask: () => Value): Promise<Value> {
    return this.#queue.run(this.#board, async () => {
      if (this.#making !== undefined || this.#missing !== undefined) throw new NotCurrent('missing')
      await this.#follow(db)
      return ask()
    })
  }

  /** Builds what is missing, in turns; once for all calls that ask meanwhile. */
  async make(steps: Steps): Promise<void> {
    // The builder may lose access to the board meanwhile, which must not refuse the others: they check again.
    if (this.#making !== undefined) return this.#making.catch(() => {})
    if (this.#missing === undefined) return
    this.#making = this.#make(steps)
    try {
      await this.#making
    } finally {
      this.#making = undefined
    }
  }

  /** The ready cards that the caller has claimed, best first. */
  own({ agent, claims, matches }: Pick<ReadySelection, 'agent' | 'claims' | 'matches'>): SortKey[] {
    const claimed = claims.flatMap(({ card_id, agent_id }) => {
      const card = agent_id === agent ? this.#kept.get(card_id) : undefined
      return card === undefined || matches?.(card) === false ? [] : [card]
    })
    return claimed.sort(byPlace)
  }

  /** Part of the unclaimed ready cards, and their total number. */
  page({ claims, skipped, matches, offset, limit }: ReadySelection): {
    readonly cards: readonly SortKey[]
    readonly total: number
  } {
    const ids = [...claims.map(({ card_id }) => card_id), ...skipped]
    const excluded = new Set(
      ids.flatMap(id => {
        const card = this.#kept.get(id)
        return card === undefined || matches?.(card) === false ? [] : [card]
      }),
    )
    return matches === undefined
      ? this.#unfiltered(excluded, offset, limit)
      : this.#filtered(matches, excluded, offset, limit)
  }

  #unfiltered(skipped: ReadonlySet<KeptCard>, offset: number, limit: number) {
    const cards: KeptCard[] = []
    let rank = offset
    const ranks = [...skipped].map(card => this.#ready.rank(card)).sort((a, b) => a - b)
    for (const before of ranks) if (before <= rank) rank++
    if (limit > 0)
      for (const card of this.#ready.from(rank)) {
        if (!skipped.has(card)) cards.push(card)
        if (cards.length === limit) break
      }
    return { cards, total: this.#ready.size - skipped.size }
  }

  #filtered(matches: (card: FilterColumns) => boolean, skipped: ReadonlySet<KeptCard>, offset: number, limit: number) {
    const cards: KeptCard[] = []
    let total = 0
    for (const block of this.#ready.blocks)
      for (const card of block) {
        if (!matches(card) || skipped.has(card)) continue
        if (total >= offset && cards.length < limit) cards.push(card)
        total++
      }
    return { cards, total }
  }

  async #follow(db: Db): Promise<void> {
    const last = this.#last
    const rows = await eventsFrom(db, { board: this.#board, from: last?.seq ?? 0, limit: maxEvents + 2 })
    if (rows.length === 0 && last !== undefined) throw new NotCurrent('ahead')
    const tallies = await talliesOf(db, this.#board)
    const events = last === undefined ? rows : rows.slice(1)
    // The number of the last event belongs to another one: the board was deleted and restored from an archive.
    const named = rows[0]?.id !== last?.id && last !== undefined ? undefined : this.#named(events, tallies)
    let missing: Missing | undefined = 'all'
    try {
      if (named !== undefined) missing = await this.#changed(db, named)
    } finally {
      // A read that fails halfway leaves part of its changes behind.
      this.#missing = missing
    }
    this.#tallies = tallies
    this.#last = rows.at(-1)
    this.#isNew = false
    if (this.#missing !== undefined) throw new NotCurrent('missing')
  }

  /**
   * The records that events name; undefined if they are too many, or if something changed without an event, bypassing
   * the service.
   */
  #named(events: readonly BoardEvent[], tallies: Tallies): NamedRecords | undefined {
    const named = events.length > maxEvents ? undefined : namedBy(events)
    return named === undefined || changedUnnamed(this.#tallies!, tallies, named) ? undefined : named
  }

  /** Reads the named records again and evaluates them; returns what is missing afterwards. */
  async #changed(db: Db, { cards, specs, sprints }: NamedRecords): Promise<Missing | undefined> {
    for (const spec of await specsOfSprints(db, this.#board, sprints)) specs.add(spec)
    if (cards.size > maxFollowed || specs.size > maxFollowed) return 'all'
    const judged = new Set([...cards, ...(await this.#cardsOfChanged(db, specs))])
    const recounted = await this.#relinked(db, cards, judged)
    if (recounted === undefined) return 'counts'
    // Read again too, because their positions may be outdated.
    for (const card of recounted) if (this.#kept.has(card)) judged.add(card)
    if (judged.size > maxFollowed) return 'cards'
    return judged.size === 0 || (await this.#judge(db, judged)) ? undefined : 'cards'
  }

  /** The cards of those specs in which something changed that gates depend on. */
  async #cardsOfChanged(db: Db, specs: ReadonlySet<string>): Promise<string[]> {
    if (specs.size === 0) return []
    const gates = await gatesOf(db, specs)
    const changed = [...specs].filter(spec => this.#isNew || gates.get(spec) !== this.#gates.get(spec))
    for (const spec of specs) this.#keepGates(spec, gates.get(spec))
    return notStartedOf(db, this.#board, changed, maxFollowed + 1)
  }

  #keepGates(spec: string, gates: string | undefined): void {
    if (gates === undefined) this.#gates.delete(spec)
    else this.#gates.set(spec, this.#shared(gates))
  }

  /**
   * Updates the links of some cards; the cards that wait because of changed ones are added to those to evaluate.
   * @returns the cards whose counts changed; undefined if everything must be recounted
   */
  async #relinked(db: Db, cards: ReadonlySet<string>, judged: Set<string>): Promise<readonly string[] | undefined> {
    if (cards.size === 0) return []
    const after = byEnds(await linksOf(db, this.#board, cards))
    const before = byEnds([...cards].flatMap(card => this.#links.of(card)))
    const added = [...after].flatMap(([ends, link]) => (before.has(ends) ? [] : [link]))
    const removed = [...before].flatMap(([ends, link]) => (after.has(ends) ? [] : [link]))
    for (const { card_id } of [...added, ...removed]) judged.add(card_id)
    return added.length + removed.length === 0 ? [] : this.#links.change(added, removed)
  }

  /**
   * Evaluates some cards again.
   * @returns whether their places in the order are correct
   */
  async #judge(db: Db, ids: ReadonlySet<string>): Promise<boolean> {
    const rows = await startableAmong(db, this.#board, ids)
    for (const id of ids) this.#drop(id)
    const cards = rows.map(row => this.#keep(row))
    return this.#holds(db, cards)
  }

  /**
   * Whether the places of cards that were just read are correct. A card that is inserted into its column shifts the
   * ones after it, and no event names these; their order is unchanged, but their stored positions are outdated. If the
   * two neighbours of a card have their stored positions, the card is where it belongs.
   */
  async #holds(db: Db, cards: readonly KeptCard[]): Promise<boolean> {
    const read = new Set(cards)
    const beside = new Set<KeptCard>()
    for (const card of cards)
      for (const next of this.#ready.beside(card)) if (byStanding(card, next) === 0 && !read.has(next)) beside.add(next)
    const positions = await positionsOf(
      db,
      this.#board,
      [...beside].map(card => card.id),
    )
    return [...beside].every(card => positions.get(card.id) === card.position)
  }

  #keep(row: Startable): KeptCard {
    this.#drop(row.id)
    const card = {
      ...placeOf(row, this.unblocks(row.id)),
      card_type: this.#shared(row.card_type),
      spec_id: this.#shared(row.spec_id),
      sprint_id: this.#shared(row.sprint_id),
      assignee_id: this.#shared(row.assignee_id),
      labels: this.#shared(row.labels),
    }
    this.#kept.set(card.id, card)
    this.#ready.add(card)
    return card
  }

  #drop(id: string): void {
    const card = this.#kept.get(id)
    if (card === undefined) return
    this.#kept.delete(id)
    this.#ready.remove(card)
  }

  /** The same text as another card's, stored once. */
  #shared<Text extends string | null>(text: Text): Text {
    return text === null ? text : (this.#texts.of(text, () => text) as Text)
  }

  async #make(steps: Steps): Promise<void> {
    const missing = this.#missing
    if (missing === 'all') await this.#makeLinks(steps)
    if (missing === 'counts') await runCooperatively(this.#links.count(), yieldToEventLoop)
    await this.#makeCards(steps)
    this.#isNew = true
    this.#missing = undefined
  }

  /**
   * Events that occur while the links and cards are read are followed afterwards, starting from the last event before
   * the read.
   */
  async #makeLinks(steps: Steps): Promise<void> {
    await steps.read(async ({ db }) => {
      this.#last = await lastEvent(db, this.#board)
      this.#tallies = await talliesOf(db, this.#board)
    })
    const links = new OpenLinks(await readOpenLinks(steps, this.#board))
    await runCooperatively(links.count(), yieldToEventLoop)
    this.#links = links
    this.#gates.clear()
  }

  /**
   * Reads the cards in the order of their column, in turns: cards that are shifted meanwhile, to make room for another
   * card, stay in order.
   */
  async #makeCards(steps: Steps): Promise<void> {
    this.#ready = new SortedList<KeptCard>(byPlace)
    this.#kept.clear()
    let last: Awaited<ReturnType<typeof columnAfter>>[number] | undefined
    do {
      const rows = await steps.read(async ({ db }) => {
        const cards = await columnAfter(db, this.#board, last, cardsAtOnce)
        last = cards.length < cardsAtOnce ? undefined : cards.at(-1)
        await this.#knowGates(db, cards)
        return startableAmong(
          db,
          this.#board,
          cards.map(card => card.id),
        )
      })
      for (const row of rows) this.#keep(row)
      await yieldToEventLoop()
    } while (last !== undefined)
  }

  /** Reads what the gates of cards depend on, before the first card of each spec is evaluated. */
  async #knowGates(db: Db, cards: readonly { readonly spec_id: string | null }[]): Promise<void> {
    const specs = new Set(
      cards.flatMap(({ spec_id }) => (spec_id === null || this.#gates.has(spec_id) ? [] : [spec_id])),
    )
    if (specs.size === 0) return
    const gates = await gatesOf(db, specs)
    for (const spec of specs) this.#keepGates(spec, gates.get(spec))
  }
}

const byEnds = (links: readonly DependencyLink[]): Map<string, DependencyLink> =>
  new Map(links.map(link => [`${link.card_id} ${link.depends_on_id}`, link]))

/** Reads the links between the open cards of a board, in turns. */
async function readOpenLinks(steps: Steps, board: string): Promise<DependencyLink[]> {
  const cards = new Set<string>()
  const links: DependencyLink[] = []
  for (let after: string | undefined = ''; after !== undefined; await yieldToEventLoop()) {
    const from: string = after
    const rows = await steps.read(({ db }) => openCardsAfter(db, board, from, cardsAtOnce))
    after = undefined
    for (const { card_id, depends_on_id } of rows) {
      cards.add(card_id)
      if (depends_on_id !== null) links.push({ card_id, depends_on_id })
      if (after === undefined || card_id > after) after = card_id
    }
  }
  return links.filter(link => cards.has(link.depends_on_id))
}
