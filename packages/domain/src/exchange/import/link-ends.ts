import { dialect, type Json } from '@specboard/storage'
import { parseJson, toJson } from '../../lib/json.ts'
import { piecesOf } from '../../lib/pieces.ts'
import type { Db } from '../../schema/database.ts'
import { agreedLinks, referringLists, type SpecEnd } from './agreed-links.ts'
import type { JudgedRecord } from './judging/judging.ts'
import type { Row } from './rows.ts'

/** The links of a card, as stored. */
interface CardLinks {
  readonly id: string
  readonly spec_id: string | null
  readonly sprint_id: string | null
  readonly test_scenario_ids: Json<string[]>
}

type RunRead = <Value>(run: (ctx: { readonly db: Db }) => Promise<Value>) => Promise<Value>

/** A record whose links are made to agree. */
export interface Repair {
  readonly type: 'spec' | 'card'
  readonly id: string
  /** The changed columns, as stored. */
  readonly row: Row
}

/** Specs whose links are checked together. */
const specsAtOnce = 25

/**
 * Adjusts the ends of links when an import changes an existing board. One end of a link may change while the record at
 * the other end stays unchanged here, or no longer exists. Later changes of that record would then be refused because
 * of links that they did not introduce.
 */
export class LinkEnds {
  readonly #cards = new Map<string, CardLinks>()
  readonly #specs = new Map<string, Row>()
  /** The specs of imported sprints. */
  readonly #sprints = new Map<string, string>()
  /** Existing cards that change. */
  readonly #changed = new Set<string>()
  /** Existing specs that change, or whose cards do. */
  readonly #concerned = new Set<string>()

  /** Records an imported or changed record. */
  add({ record: { type }, here, row, before }: JudgedRecord): void {
    if (type === 'sprint') this.#sprints.set(here, String(row.spec_id))
    if (type === 'spec') this.#specs.set(here, specEnd(row))
    if (type === 'card') this.#cards.set(here, cardLinks(row))
    if (before === undefined) return
    if (type === 'spec') this.#concerned.add(here)
    if (type !== 'card') return
    this.#changed.add(here)
    for (const { spec_id } of [row, before]) if (typeof spec_id === 'string') this.#concerned.add(spec_id)
  }

  /**
   * Yields the remaining writes that give all links both ends; call it after all records were added.
   * @param all whether imported records may be linked to deleted ones
   */
  async *repairs(read: RunRead, all: boolean): AsyncGenerator<Repair> {
    const specs = all ? new Set([...this.#concerned, ...this.#specs.keys()]) : this.#concerned
    const cards = all ? new Set(this.#cards.keys()) : this.#changed
    yield* this.#astray(read, cards)
    const coming = Map.groupBy(this.#cards.values(), ({ spec_id }) => spec_id)
    for (const ids of piecesOf([...specs], specsAtOnce)) {
      const { stored, linked } = await read(async ({ db }) => ({
        stored: new Map<string, Row>((await specsOf(db, ids)).map(row => [row.id, row])),
        linked: Map.groupBy(await cardsOf(db, ids), ({ spec_id }) => spec_id),
      }))
      for (const id of ids) {
        const spec = this.#specs.get(id) ?? stored.get(id)
        const standing = (linked.get(id) ?? []).filter(card => !this.#cards.has(card.id))
        if (spec !== undefined) yield* repairsOf(id, spec, [...standing, ...(coming.get(id) ?? [])])
      }
    }
  }

  /** Removes from cards the sprint and the scenarios of a spec that they do not belong to. */
  async *#astray(read: RunRead, cards: ReadonlySet<string>): AsyncGenerator<Repair> {
    for (const ids of piecesOf([...cards], specsAtOnce)) {
      const of = ids.map(id => this.#cards.get(id)!)
      const sprints = of.flatMap(({ sprint_id }) => (sprint_id === null ? [] : [sprint_id]))
      const specOf = new Map((await read(({ db }) => sprintsOf(db, sprints))).map(({ id, spec_id }) => [id, spec_id]))
      for (const { id, spec_id, sprint_id, test_scenario_ids } of of) {
        const strays = sprint_id !== null && (this.#sprints.get(sprint_id) ?? specOf.get(sprint_id)) !== spec_id
        const isNamed = spec_id === null && parseJson(test_scenario_ids).length > 0
        if (!strays && !isNamed) continue
        const row = { ...(strays && { sprint_id: null }), ...(isNamed && { test_scenario_ids: toJson([]) }) }
        yield { type: 'card', id, row }
      }
    }
  }
}

function* repairsOf(id: string, row: Row, cards: readonly CardLinks[]): Generator<Repair> {
  const spec = Object.fromEntries(referringLists.map(name => [name, JSON.parse(String(row[name]))])) as SpecEnd
  const ends = cards.map(card => ({ id: card.id, test_scenario_ids: parseJson(card.test_scenario_ids) }))
  const { lists, cards: changed } = agreedLinks(spec, ends)
  if (Object.keys(lists).length > 0)
    yield {
      type: 'spec',
      id,
      row: Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, toJson(list)])),
    }
  for (const card of changed)
    yield { type: 'card', id: card.id, row: { test_scenario_ids: toJson(card.test_scenario_ids) } }
}

/** The columns of a spec that hold its links. */
const specEnd = (row: Row): Row => Object.fromEntries(referringLists.map(name => [name, row[name] ?? null]))

const cardLinks = (row: Row): CardLinks => {
  const { id, spec_id, sprint_id, test_scenario_ids } = row as Row & CardLinks
  return { id, spec_id, sprint_id, test_scenario_ids }
}

const specsOf = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('specs')
    .select(['id', ...referringLists])
    .where(eb => dialect.inList(eb.ref('id'), JSON.stringify(ids)))
    .execute()

const cardsOf = (db: Db, specs: readonly string[]): Promise<CardLinks[]> =>
  db
    .selectFrom('cards')
    .select(['id', 'spec_id', 'sprint_id', 'test_scenario_ids'])
    .where(eb => dialect.inList(eb.ref('spec_id'), JSON.stringify(specs)))
    .orderBy('created_at')
    .orderBy('id')
    .execute()

const sprintsOf = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('sprints')
    .select(['id', 'spec_id'])
    .where(eb => dialect.inList(eb.ref('id'), JSON.stringify(ids)))
    .execute()
