import type { Client } from '@specboard/client'
import { isEvent } from '@specboard/contract'
import { inParallel } from '../../../../tools/lab/harness/in-parallel.ts'

type Answer<Name extends keyof Client> = Awaited<ReturnType<Client[Name]>>
export type Card = Omit<Answer<'getCard'>, 'imported'> & {
  /** Whether an import brought it. */
  readonly imported: boolean
  /** When it was done; null unless it was done here. */
  readonly done_at: string | null
}
export type Ideation = Answer<'getIdeation'>
export type Refinement = Answer<'getRefinement'>
export type Spec = Answer<'getSpec'>
export type SpecValidation = Answer<'listSpecValidations'>['validations'][number]
export type Sprint = Answer<'getSprint'>
type Entry = Pick<Answer<'listSpecHistory'>['items'][number], 'action' | 'changes' | 'created_at' | 'imported'>

/** A record of the planning chain with its moves: the status entered, and when. */
export interface Chained {
  readonly id: string
  readonly title: string
  readonly status: string
  readonly created_at: string
  /** Whether an import brought it. */
  readonly imported: boolean
  /** Its moves here. */
  readonly moves: readonly { readonly to: unknown; readonly at: string }[]
}

/** Something that was done here: by what kind of principal, and whether a person was present. */
export interface Deed {
  readonly actor_type?: string | null | undefined
  readonly present?: boolean | undefined
}

/** Everything on a board that is not archived, read record by record through the typed client. */
export interface Records {
  readonly boardId: string
  readonly boardName: string
  readonly ideations: readonly (Ideation & Chained)[]
  readonly refinements: readonly (Refinement & Chained)[]
  readonly specs: readonly (Spec & Chained & { readonly submissions: readonly SpecValidation[] })[]
  readonly sprints: readonly (Sprint & Chained)[]
  /** Oldest first. */
  readonly cards: readonly Card[]
  /** Includes archived cards, because others may wait for them. */
  readonly allCards: ReadonlyMap<string, Card>
  readonly agentNames: ReadonlyMap<string, string>
  readonly agentKinds: ReadonlyMap<string, string>
  /** The moves of cards to done that were made here. */
  readonly movesToDone: readonly (Deed & { readonly card_id: string })[]
}

const byAge = (a: { created_at: string; id: string }, b: { created_at: string; id: string }) =>
  a.created_at < b.created_at || (a.created_at === b.created_at && a.id < b.id) ? -1 : 1

const movesOf = (entries: readonly Entry[]) =>
  entries.flatMap(entry =>
    entry.action === 'status_changed' && !entry.imported
      ? (entry.changes ?? []).flatMap(change =>
          change.field === 'status' ? [{ to: change.new, at: entry.created_at }] : [],
        )
      : [],
  )

/** Every entry of a history, page by page. */
async function whole<Item>(page: (offset: number) => Promise<{ items: Item[]; total: number }>): Promise<Item[]> {
  const items: Item[] = []
  for (;;) {
    const { items: more, total } = await page(items.length)
    items.push(...more)
    if (items.length >= total || more.length === 0) return items
  }
}

/** What the event log of a board says about its records: which ones an import brought, and how cards moved here. */
async function logged(client: Client, board_id: string) {
  const imported = new Map<string, boolean>()
  const moved = new Set<string>()
  const movesToDone: (Deed & { readonly card_id: string })[] = []
  for (let after = 0; ; ) {
    const events = (await client.listBoardEvents({ board_id, after, limit: 200 })).events.filter(isEvent)
    for (const event of events) {
      if (!imported.has(event.entity_id)) imported.set(event.entity_id, event.imported === true)
      if (event.action !== 'card_moved' || event.imported) continue
      moved.add(event.entity_id)
      const { from_status, to_status, present } = event.details as Readonly<Record<string, unknown>>
      if (to_status === 'done' && from_status !== 'done')
        movesToDone.push({ card_id: event.entity_id, actor_type: event.actor_type, present: present === true })
    }
    const last = events.at(-1)
    if (last === undefined) break
    after = last.sequence
  }
  const isImported = (id: string) => imported.get(id) === true
  return { movesToDone, isImported, isMovedHere: (id: string) => !isImported(id) || moved.has(id) }
}

/** Reads a board the way an agent would. */
export async function readRecords(client: Client, board_id: string): Promise<Records> {
  const board = await client.getBoard({ board_id })
  const { movesToDone, isImported, isMovedHere } = await logged(client, board_id)
  const cards = (board.cards ?? []).toSorted(byAge).map(({ imported: _, ...card }) => ({
    ...card,
    imported: isImported(card.id),
    done_at: card.status === 'done' && isMovedHere(card.id) ? card.moved_at : null,
  }))
  const ideationItems = (await client.listIdeations({ board_id })).items
  const ideations = await inParallel(ideationItems, 16, async ({ id: ideation_id }) => ({
    ...(await client.getIdeation({ ideation_id })),
    imported: isImported(ideation_id),
    moves: movesOf(await whole(offset => client.listIdeationHistory({ ideation_id, limit: 200, offset }))),
  }))
  const refinementLists = await inParallel(ideations, 16, ({ id }) => client.listRefinements({ ideation_id: id }))
  const refinements = await inParallel(
    refinementLists.flatMap(list => list.items),
    16,
    async ({ id: refinement_id }) => ({
      ...(await client.getRefinement({ refinement_id })),
      imported: isImported(refinement_id),
      moves: movesOf(await whole(offset => client.listRefinementHistory({ refinement_id, limit: 200, offset }))),
    }),
  )
  const specs = await inParallel((await client.listSpecs({ board_id })).items, 16, async ({ id: spec_id }) => ({
    ...(await client.getSpec({ spec_id })),
    imported: isImported(spec_id),
    submissions: (await client.listSpecValidations({ spec_id })).validations.toReversed(),
    moves: movesOf(await whole(offset => client.listSpecHistory({ spec_id, limit: 200, offset }))),
  }))
  const sprints = await inParallel(
    (await client.listBoardSprints({ board_id })).items,
    16,
    async ({ id: sprint_id }) => ({
      ...(await client.getSprint({ sprint_id })),
      imported: isImported(sprint_id),
      moves: movesOf(await whole(offset => client.listSprintHistory({ sprint_id, limit: 200, offset }))),
    }),
  )
  const agents = await client.listAgents()
  return {
    boardId: board_id,
    boardName: board.name,
    ideations,
    refinements,
    specs: specs.toSorted(byAge),
    sprints: sprints.toSorted(byAge),
    cards: cards.filter(card => !card.archived),
    allCards: new Map(cards.map(card => [card.id, card])),
    agentNames: new Map(agents.items.map(agent => [agent.id, agent.name])),
    agentKinds: new Map(agents.items.map(agent => [agent.id, agent.kind])),
    movesToDone,
  }
}
