/**
 * The proof of records (evidence 7, rule 4). Most boards have only self-reported results and ask for no more: then one
 * query establishes that, and nothing else is read.
 */
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { type Settings, settingsOf } from '../../kernel/board-settings.ts'
import type { Flag } from '../../schema/columns.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { OnBoard } from '../../schema/same-board.ts'
import type { BoardsTable } from '../../schema/tables.ts'
import { coverageOf } from './coverage.ts'
import { doneTiers } from './done-tiers.ts'
import type { RecordProof } from './judges.ts'
import { hasEvidence, type ListedSpec, type ListedSpecs, listedSpecs } from './listed-specs.ts'
import { type ProvenSpec, provenSpecs } from './proven-specs.ts'
import {
  type Coverages,
  type ProvenCard,
  type ProvenSprint,
  proofOfSpec,
  proofOfSprint,
  proofsOfCards,
  proofsOfSpecs,
} from './records.ts'
import { type FullProof, isShown, type Sign, shownProof, signOf } from './shown.ts'
import { waiversOf } from './waivers.ts'

interface BoardRow {
  settings: BoardsTable['settings']
  is_told: Flag
}

/** What a board requires, and whether it ever received anything beyond self-reported results. */
const boardById = hot<{ board: string }, BoardRow>(
  (_, param) => sql<BoardRow>`select b.settings, case when ${hasEvidence} then 1 else 0 end as is_told
    from boards b where b.id = ${param('board')}`,
)

/** The settings of a board that shows proof; null for one that requires none and has only self-reported results. */
export async function shownBy(db: Db, board: string): Promise<Settings | null> {
  const [row] = await boardById(db, { board })
  if (row === undefined) return null
  const settings = settingsOf(row.settings)
  return row.is_told === 1 || settings.min_evidence_tier !== 'claimed' ? settings : null
}

const specsTold = hot<{ specs: string }, { id: string }>(
  (_, param) => sql<{
    id: string
  }>`select o.id from specs o where ${dialect.inList(sql.ref('o.id'), param('specs'))}
      and exists (select 1 from scenario_results s where s.spec_id = o.id and s.tier <> 'claimed')`,
)

/** The specs whose proof has to be computed: all of them if the board requires more than self-reported results. */
async function judgedSpecs(
  db: Db,
  { min_evidence_tier }: Settings,
  specs: readonly { readonly id: string }[],
): Promise<readonly string[]> {
  const ids = specs.map(({ id }) => id)
  if (min_evidence_tier !== 'claimed' || ids.length === 0) return ids
  return (await specsTold(db, { specs: JSON.stringify(ids) })).map(({ id }) => id)
}

/** The fields of a card that its proof depends on. */
export type CardOfSpec = ProvenCard & { readonly spec_id: string | null }

/** What has already been read about cards whose proof is requested. */
interface KnownOfCards {
  readonly specs?: ReadonlyMap<string, ProvenSpec>
  readonly coverages?: Coverages
}

/** The proof of a board's cards; cards without proof are left out. */
async function provenCards(
  db: Db,
  board: string,
  settings: Settings,
  cards: readonly CardOfSpec[],
  loaded: KnownOfCards = {},
): Promise<ReadonlyMap<string, RecordProof>> {
  if (cards.length === 0) return new Map()
  const withScenarios = cards.filter(({ test_scenario_ids }) => test_scenario_ids.length > 0)
  const specs =
    loaded.specs ??
    (await provenSpecs(
      db,
      board,
      withScenarios.flatMap(({ spec_id }) => spec_id ?? []),
    ))
  const specOf = ({ spec_id, test_scenario_ids }: CardOfSpec) =>
    spec_id === null || test_scenario_ids.length === 0 ? null : (specs.get(spec_id) ?? null)
  const proofs = await proofsOfCards(
    db,
    board,
    cards.map(card => ({ card, spec: specOf(card) })),
    settings,
    settings.min_evidence_tier === 'claimed' ? 'told' : 'all',
    loaded.coverages,
  )
  return shownOnes(proofs, settings)
}

const shownOnes = (proofs: ReadonlyMap<string, RecordProof>, settings: Settings): ReadonlyMap<string, RecordProof> =>
  new Map([...proofs].filter(([, items]) => isShown(items, settings)))

/**
 * The proof of cards of a board in a list, by card id; cards without proof are left out.
 * @param settings the settings of the board, which shows proof
 */
export async function signsBy(
  db: Db,
  board: string,
  settings: Settings,
  cards: readonly CardOfSpec[],
  loaded?: KnownOfCards,
): Promise<ReadonlyMap<string, Sign>> {
  const proofs = await provenCards(db, board, settings, cards, loaded)
  return new Map([...proofs].map(([id, items]) => [id, signOf(items)]))
}

/**
 * The proof of cards of a board in a list, by card id; cards without proof are left out.
 * @param listed the specs whose scenarios they have
 */
export async function signsOfCards(
  db: Db,
  board: string,
  cards: readonly CardOfSpec[],
  { settings: loaded, specs }: ListedSpecs,
): Promise<ReadonlyMap<string, Sign>> {
  const settings = cards.length === 0 ? null : loaded === undefined ? await shownBy(db, board) : loaded
  if (settings === null) return new Map()
  const specOf = ({ spec_id }: CardOfSpec) => (spec_id === null ? undefined : specs.get(spec_id))
  const isAlone = (card: CardOfSpec) => card.test_scenario_ids.length > 0 && specOf(card)?.mayBeLowered === false
  const mayHaveChanges = cards.filter(card => !isAlone(card) || specOf(card)!.isChanged)
  const coverages = await coverageOf(
    db,
    board,
    'card',
    mayHaveChanges.map(({ id }) => id),
  )
  const signs = new Map<string, Sign>()
  const others: CardOfSpec[] = []
  for (const card of cards) {
    const sign = isAlone(card) && coverages(card.id).isEmpty ? specOf(card)!.signOf(card.test_scenario_ids) : undefined
    // A card whose scenarios are all gone is proven like a card that has none.
    if (sign === undefined) others.push(card)
    else if (sign !== null) signs.set(card.id, sign)
  }
  for (const [id, sign] of await signsBy(db, board, settings, others, { specs, coverages })) signs.set(id, sign)
  return signs
}

/** The proof of a board's cards, by card id; cards without proof are left out. */
export async function shownProofsOfCards(
  db: Db,
  board: string,
  cards: readonly CardOfSpec[],
): Promise<ReadonlyMap<string, FullProof>> {
  const settings = cards.length === 0 ? null : await shownBy(db, board)
  if (settings === null) return new Map()
  const proofs = await provenCards(db, board, settings, cards)
  const ids = [...proofs.keys()]
  const waivers = await waiversOf(db, board, ids)
  const tiers = await doneTiers(db, board, ids)
  return new Map(
    [...proofs].map(([id, items]) => [
      id,
      shownProof(items, { waived: waivers.get(id) ?? [], done_tier: tiers.get(id) ?? null }),
    ]),
  )
}

const notDone = { waived: [], done_tier: null } as const

/** The proof of a spec, and of each of its scenarios by id; those without proof are left out. */
export interface SpecProof {
  readonly proof: FullProof | null
  readonly scenarios: ReadonlyMap<string, FullProof>
}

/** The proof of a spec and its scenarios. */
export async function shownProofOfSpec(db: Db, spec: ProvenSpec & OnBoard): Promise<SpecProof> {
  const none = { proof: null, scenarios: new Map<string, FullProof>() }
  const settings = await shownBy(db, spec.board_id)
  if (settings === null) return none
  if ((await judgedSpecs(db, settings, [spec])).length === 0) return none
  const items = await proofOfSpec(db, spec, settings)
  const tiers = await doneTiers(db, spec.board_id, [spec.id])
  const scenarios = items.filter(item => isShown([item], settings))
  return {
    proof: isShown(items, settings) ? shownProof(items, { waived: [], done_tier: tiers.get(spec.id) ?? null }) : null,
    scenarios: new Map(scenarios.map(item => [item.subject.id, shownProof([item], notDone)])),
  }
}

/** The proof of a scenario of a spec; null if it has none. */
export async function shownProofOfScenario(
  db: Db,
  spec: ProvenSpec & OnBoard,
  scenario: NonNullable<ProvenSpec['test_scenarios']>[number],
): Promise<FullProof | null> {
  const { scenarios } = await shownProofOfSpec(db, { ...spec, test_scenarios: [scenario] })
  return scenarios.get(scenario.id) ?? null
}

/** The proof of a board's specs in a list, by spec id; specs without proof are left out. */
export async function shownProofsOfSpecs(
  db: Db,
  board: string,
  specs: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, FullProof>> {
  const { settings, specs: listed } = await listedSpecs(
    db,
    board,
    specs.map(({ id }) => id),
    'proven',
  )
  if (settings == null) return new Map()
  const proofs = new Map<string, FullProof>()
  const others: ListedSpec[] = []
  for (const spec of listed.values()) {
    if (spec.isChanged || spec.mayBeLowered) others.push(spec)
    else if (spec.shown !== null) proofs.set(spec.id, spec.shown)
  }
  if (others.length === 0) return proofs
  for (const [id, items] of shownOnes(await proofsOfSpecs(db, board, others, settings), settings))
    proofs.set(id, shownProof(items, { waived: [], done_tier: listed.get(id)!.doneTier }))
  return proofs
}

/** The proof of a sprint; null if it has none. */
export async function shownProofOfSprint(
  db: Db,
  sprint: ProvenSprint & OnBoard & { readonly spec_id: string },
): Promise<FullProof | null> {
  const settings = await shownBy(db, sprint.board_id)
  if (settings === null) return null
  const spec = (await provenSpecs(db, sprint.board_id, [sprint.spec_id])).get(sprint.spec_id)
  if (spec === undefined) return null
  const items = await proofOfSprint(db, sprint, spec, settings)
  if (!isShown(items, settings)) return null
  const tiers = await doneTiers(db, sprint.board_id, [sprint.id])
  return shownProof(items, { waived: [], done_tier: tiers.get(sprint.id) ?? null })
}
