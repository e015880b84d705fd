/** Reads what proves cards, specs and sprints, and judges it by what their board requires (evidence 7). */
import { parseJson } from '../../lib/json.ts'
import type { Flag } from '../../schema/columns.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { type OnBoard, onBoard } from '../../schema/same-board.ts'
import type { CardsTable } from '../../schema/tables.ts'
import {
  type CardEvidence,
  evidenceOfCards,
  loweredFor,
  passedOnDefault,
  resultOf,
  type SeenResult,
  type StoredResult,
  verdictOf,
} from './card-evidence.ts'
import { type Coverage, coverageOf } from './coverage.ts'
import { Judges, judged, type RecordProof } from './judges.ts'
import type { ProvenSpec, Scenarios } from './proven-specs.ts'
import type { ProofSettings, Result, Subject } from './rules.ts'
import { ScenarioResults } from './scenario-results.ts'

/** The fields of a card that its proof depends on. */
export interface ProvenCard {
  readonly id: string
  readonly ref: string
  readonly title: string
  readonly status: string
  readonly test_scenario_ids: readonly string[]
  readonly validation_stay: number
}

/** The changes of records, by id. */
export type Coverages = Awaited<ReturnType<typeof coverageOf>>

/** The fields of a sprint that its proof depends on. */
export interface ProvenSprint {
  readonly id: string
  readonly test_scenario_ids: readonly string[] | null
}

/** A record that its scenarios prove. */
interface ByScenarios {
  readonly id: string
  readonly spec: ProvenSpec
  readonly scenarios: Scenarios
}

/** The subjects of records that their scenarios prove, by record id; records share equal subjects. */
async function scenarioSubjects(
  db: Db,
  board: string,
  kind: 'card' | 'spec' | 'sprint',
  records: readonly ByScenarios[],
  results: ScenarioResults,
): Promise<ReadonlyMap<string, readonly Subject[]>> {
  if (!results.mayBeLowered)
    return new Map(
      records.map(({ id, spec, scenarios }) => [id, scenarios.map(scenario => results.subjectOf(spec, scenario))]),
    )
  const lower = await loweredFor(
    db,
    board,
    kind,
    new Map(records.map(({ id, spec, scenarios }) => [id, scenarios.flatMap(each => results.of(spec, each))])),
  )
  return new Map(
    records.map(({ id, spec, scenarios }) => {
      const own = lower(id)
      return [
        id,
        scenarios.map(scenario => ({
          ...results.subjectOf(spec, scenario),
          results: results.of(spec, scenario).map(own),
        })),
      ]
    }),
  )
}

/** Cards without scenarios: their own reports and runs, or a present person's validation (evidence 7, rule 1). */
async function ownSubjects(
  db: Db,
  board: string,
  cards: readonly ProvenCard[],
  coverages: (id: string) => Coverage,
): Promise<ReadonlyMap<string, readonly Subject[]>> {
  const evidence = await evidenceOfCards(
    db,
    board,
    cards.map(({ id }) => id),
  )
  const onDefault = new Map<string, readonly StoredResult[]>()
  for (const repository of new Set(cards.flatMap(({ id }) => coverages(id).repositories)))
    onDefault.set(repository, await passedOnDefault(db, { board, repository }))
  const results = new Map<string, readonly SeenResult[]>()
  for (const card of cards) {
    const coverage = coverages(card.id)
    const later: SeenResult[] = []
    const speaking = new Set<string>()
    for (const row of coverage.repositories.flatMap(repository => onDefault.get(repository) ?? [])) {
      // In each repository, the newest result of its kind replaces the earlier ones.
      const source = `${row.repository_id} ${row.tier} ${row.seen_by}`
      if (speaking.has(source)) continue
      const result = resultOf(row)
      if ((await coverage.uncovered(result)).reason !== null) continue
      speaking.add(source)
      later.push(result)
    }
    results.set(card.id, [...toldOf(card, evidence), ...later])
  }
  const lower = await loweredFor(db, board, 'card', results)
  return new Map(
    cards.map(card => [
      card.id,
      [ownSubject(card, [...results.get(card.id)!.map(lower(card.id)), ...personResults(card, evidence)])],
    ]),
  )
}

/** The results that count for a card; if the card is done, only passed ones. */
const toldOf = ({ id, status }: ProvenCard, { results }: CardEvidence): SeenResult[] =>
  (results.get(id) ?? []).filter(row => status !== 'done' || row.status === 'passed').map(row => resultOf(row))

/** The active validation of a card, if a present person gave it. */
function personResults({ id, validation_stay }: ProvenCard, { validations }: CardEvidence): Result[] {
  const active = (validations.get(id) ?? []).findLast(({ stay }) => stay === validation_stay)
  return active?.present === 1 ? [verdictOf(active)] : []
}

const ownSubject = ({ id, ref, title }: ProvenCard, results: readonly Result[]): Subject => ({
  kind: 'card',
  id,
  ref,
  title,
  isManual: false,
  results,
})

/** A card, and the spec that contains its scenarios; null if it has none. */
export interface CardAndSpec {
  readonly card: ProvenCard
  readonly spec: ProvenSpec | null
}

const scenariosOfCard = ({ card, spec }: CardAndSpec): Scenarios => {
  const own = new Set(card.test_scenario_ids)
  return (spec?.test_scenarios ?? []).filter(({ id }) => own.has(id))
}

/** Judges records that have already been read by the settings of a board; returns their proofs by record id. */
type Judging = (settings: ProofSettings) => Promise<ReadonlyMap<string, RecordProof>>

/**
 * Reads what proves cards of a board, to be judged by one or several settings.
 * @param among all of them, or only those with evidence other than claims
 * @param loaded the changes of the cards, if they have already been read
 */
export async function readProofOfCards(
  db: Db,
  board: string,
  cards: readonly CardAndSpec[],
  among: 'all' | 'told' = 'all',
  loaded?: Coverages,
): Promise<Judging> {
  const tested = cards.flatMap(entry => {
    const scenarios = scenariosOfCard(entry)
    return scenarios.length === 0 || entry.spec === null ? [] : [{ id: entry.card.id, spec: entry.spec, scenarios }]
  })
  const results = await ScenarioResults.of(
    db,
    board,
    tested.map(({ spec }) => spec.id),
  )
  const relevant = tested.filter(
    ({ spec, scenarios }) => among === 'all' || scenarios.some(scenario => results.isTold(spec, scenario)),
  )
  const ofScenarios = new Set(tested.map(({ id }) => id))
  const others = cards.flatMap(({ card }) => (ofScenarios.has(card.id) ? [] : [card]))
  const ids = [...relevant.map(({ id }) => id), ...others.map(({ id }) => id)]
  if (ids.length === 0) return async () => new Map()
  const coverages = loaded ?? (await coverageOf(db, board, 'card', ids))
  const subjects = new Map([
    ...(await scenarioSubjects(db, board, 'card', relevant, results)),
    ...(await ownSubjects(db, board, others, coverages)),
  ])
  return async settings => {
    const proofs = new Map<string, RecordProof>()
    const judges = new Judges(settings)
    for (const [id, own] of subjects) {
      if (among === 'told' && own.every(({ results: all }) => all.every(({ tier }) => tier === 'claimed'))) continue
      const proof = judges.judged(own, coverages(id))
      proofs.set(id, proof instanceof Promise ? await proof : proof)
    }
    return proofs
  }
}

/** What proves each of some cards, by card id; the parameters are those of `readProofOfCards`. */
export const proofsOfCards = async (
  db: Db,
  board: string,
  cards: readonly CardAndSpec[],
  settings: ProofSettings,
  among?: 'all' | 'told',
  loaded?: Coverages,
): Promise<ReadonlyMap<string, RecordProof>> => (await readProofOfCards(db, board, cards, among, loaded))(settings)

/**
 * The proof of a card.
 * @param spec the spec of the card; null if it has none
 */
export const proofOfCard = async (
  db: Db,
  card: ProvenCard & OnBoard,
  spec: ProvenSpec | null,
  settings: ProofSettings,
): Promise<RecordProof> => (await proofsOfCards(db, card.board_id, [{ card, spec }], settings)).get(card.id)!

/** The proof of each of some specs of a board, by spec id: their scenarios. */
export async function proofsOfSpecs(
  db: Db,
  board: string,
  specs: readonly ProvenSpec[],
  settings: ProofSettings,
): Promise<ReadonlyMap<string, RecordProof>> {
  const coverages = await coverageOf(
    db,
    board,
    'spec',
    specs.map(({ id }) => id),
  )
  const records = specs.map(spec => ({ id: spec.id, spec, scenarios: spec.test_scenarios ?? [] }))
  const proofs = new Map<string, RecordProof>()
  const results = await ScenarioResults.of(
    db,
    board,
    records.map(({ id }) => id),
  )
  for (const [id, own] of await scenarioSubjects(db, board, 'spec', records, results))
    proofs.set(id, await judged(own, settings, coverages(id)))
  return proofs
}

/** The proof of a spec: its scenarios. */
export const proofOfSpec = async (db: Db, spec: ProvenSpec & OnBoard, settings: ProofSettings): Promise<RecordProof> =>
  (await proofsOfSpecs(db, spec.board_id, [spec], settings)).get(spec.id)!

type TestCard = Pick<CardsTable, 'card_type' | 'test_scenario_ids'> & { archived: Flag }

const cardsOfSprint = hot<OnBoard, TestCard>((db, param) =>
  db
    .selectFrom('cards')
    .select(['card_type', 'archived', 'test_scenario_ids'])
    .where('sprint_id', '=', param('id'))
    .where(onBoard('cards', param('board_id'))),
)

/** The proof of a sprint: the scenarios in its scope, and those of its test cards. */
export async function proofOfSprint(
  db: Db,
  { id, board_id, test_scenario_ids }: ProvenSprint & OnBoard,
  spec: ProvenSpec,
  settings: ProofSettings,
): Promise<RecordProof> {
  const tested = (await cardsOfSprint(db, { id, board_id }))
    .filter(({ card_type, archived }) => card_type === 'test' && archived === 0)
    .flatMap(card => parseJson(card.test_scenario_ids))
  const scope = new Set([...(test_scenario_ids ?? []), ...tested])
  const scenarios = (spec.test_scenarios ?? []).filter(scenario => scope.has(scenario.id))
  if (scenarios.length === 0) return []
  const coverages = await coverageOf(db, board_id, 'sprint', [id])
  const results = await ScenarioResults.of(db, board_id, [spec.id])
  const subjects = await scenarioSubjects(db, board_id, 'sprint', [{ id, spec, scenarios }], results)
  return judged(subjects.get(id)!, settings, coverages(id))
}
