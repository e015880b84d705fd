/** The proof of cards, specs and sprints: read, and evaluated by what their board requires (evidence 7). */
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { parseJson, parseNullable } from '../../lib/json.ts'
import type { Flag } from '../../schema/columns.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { refOf } from '../../schema/refs.ts'
import type { CardsTable, SpecsTable } from '../../schema/tables.ts'
import { type Coverage, coverageOf } from './coverage.ts'
import { type Printed, printOf } from './results.ts'
import {
  countingOf,
  type JudgedItem,
  judgeSubject,
  type ProofSettings,
  type Result,
  type Subject,
  type Uncovered,
} from './rules.ts'
import {
  answerOf,
  loweredFor,
  passedOnDefault,
  resultOf,
  resultsOfSpecs,
  type ScenarioResult,
  type SeenResult,
  type StoredResult,
  type ToldOfCards,
  toldOfCards,
  wordOf,
} from './told.ts'

/** The fields of a card that its proof depends on. */
export interface ProvenCard {
  readonly id: string
  readonly ref: string
  readonly title: string
  readonly status: string
  readonly test_scenario_ids: readonly string[]
  readonly validation_stay: number
}

/** The fields of a scenario that its proof depends on. */
export interface ProvenScenario extends Printed {
  readonly id: string
  readonly scenario_type: string
  readonly status: string
  readonly latest_evidence: { readonly last_run_at?: unknown } | null
}

/** The fields of a spec that its proof depends on. */
export interface ProvenSpec {
  readonly id: string
  readonly ref: string
  readonly updated_at: string
  readonly test_scenarios: readonly ProvenScenario[] | null
}

/** The fields of a sprint that its proof depends on. */
export interface ProvenSprint {
  readonly id: string
  readonly test_scenario_ids: readonly string[] | null
}

/** The proof of a record, item by item. */
export type RecordProof = readonly JudgedItem[]

type Scenarios = readonly ProvenScenario[]

type SpecColumns = Pick<SpecsTable, 'id' | 'updated_at' | 'test_scenarios'> & { ref: string }

const specsByIds = hot<{ ids: string }, SpecColumns>((db, param) =>
  db
    .selectFrom('specs')
    .select(['id', 'updated_at', 'test_scenarios'])
    .select(refOf('specs').as('ref'))
    .where(eb => dialect.inList(eb.ref('id'), sql`${param('ids')}`)),
)

/** Specs by id, with the fields that their proof depends on. */
export async function provenSpecs(db: Db, ids: Iterable<string>): Promise<ReadonlyMap<string, ProvenSpec>> {
  const asked = [...new Set(ids)]
  if (asked.length === 0) return new Map()
  const rows = await specsByIds(db, { ids: JSON.stringify(asked) })
  return new Map(
    rows.map(({ test_scenarios, ...spec }) => [spec.id, { ...spec, test_scenarios: scenariosIn(test_scenarios) }]),
  )
}

/** Scenarios as they are stored: old ones have no tests. */
const scenariosIn = (stored: SpecColumns['test_scenarios']): Scenarios | null =>
  parseNullable(stored)?.map(scenario => (Array.isArray(scenario.tests) ? scenario : { ...scenario, tests: [] })) ??
  null

/** The result of a scenario whose status nobody backed with a result: that is only a claim (evidence 7, rule 1). */
function asWord({ status, latest_evidence }: ProvenScenario, results: readonly SeenResult[], since: string) {
  if ((status !== 'passed' && status !== 'failed') || results.some(each => each.status === status)) return []
  const said = latest_evidence?.last_run_at
  return [wordOf(status, typeof said === 'string' ? said : since)]
}

/** The results of some scenarios of a spec, each including the claim that its status makes if no result backs it. */
function resultsIn(spec: ProvenSpec, scenarios: Scenarios, stored: readonly ScenarioResult[]) {
  const byScenario = Map.groupBy(stored, ({ scenario_id }) => scenario_id)
  return scenarios.map(scenario => {
    const rows = byScenario.get(scenario.id) ?? []
    const print = rows.length === 0 ? '' : printOf(scenario)
    const own = rows.map(row => resultOf(row, row.print === print))
    return { scenario, results: [...own, ...asWord(scenario, own, spec.updated_at)] }
  })
}

type ScenarioResults = ReturnType<typeof resultsIn>

const subjectsOf = (spec: ProvenSpec, results: ScenarioResults, lower: (result: SeenResult) => Result): Subject[] =>
  results.map(({ scenario, results: own }) => ({
    kind: 'scenario',
    id: scenario.id,
    ref: `${spec.ref}/${scenario.id}`,
    title: scenario.title,
    isManual: scenario.scenario_type === 'manual',
    results: own.map(lower),
  }))

async function judged(subjects: readonly Subject[], settings: ProofSettings, coverage: Coverage): Promise<RecordProof> {
  const items: JudgedItem[] = []
  for (const subject of subjects) {
    const counting = countingOf(subject, settings)
    const uncovered: Uncovered = counting === null ? { reason: null, commits: [] } : await coverage.uncovered(counting)
    items.push(judgeSubject(subject, settings, uncovered))
  }
  return items
}

/** Records that are proven by scenarios. */
interface ByScenarios {
  readonly id: string
  readonly spec: ProvenSpec
  readonly scenarios: Scenarios
}

/** The subjects of records that are proven by scenarios, by record id. */
async function scenarioSubjects(
  db: Db,
  kind: 'card' | 'spec' | 'sprint',
  records: readonly ByScenarios[],
): Promise<ReadonlyMap<string, readonly Subject[]>> {
  if (records.length === 0) return new Map()
  const specs = [...new Set(records.map(({ spec }) => spec.id))]
  const stored = Map.groupBy(await resultsOfSpecs(db, { specs: JSON.stringify(specs) }), ({ spec_id }) => spec_id)
  const results = records.map(record => ({
    ...record,
    results: resultsIn(record.spec, record.scenarios, stored.get(record.spec.id) ?? []),
  }))
  const lower = await loweredFor(
    db,
    kind,
    new Map(results.map(({ id, results: own }) => [id, own.flatMap(each => each.results)])),
  )
  return new Map(results.map(({ id, spec, results: own }) => [id, subjectsOf(spec, own, lower(id))]))
}

/** Cards without scenarios: their own reports and runs, or a present person's validation (evidence 7, rule 1). */
async function ownSubjects(
  db: Db,
  cards: readonly ProvenCard[],
  coverages: (id: string) => Coverage,
): Promise<ReadonlyMap<string, readonly Subject[]>> {
  const told = await toldOfCards(
    db,
    cards.map(({ id }) => id),
  )
  const onDefault = new Map<string, readonly StoredResult[]>()
  for (const repository of new Set(cards.flatMap(({ id }) => coverages(id).repositories)))
    onDefault.set(repository, await passedOnDefault(db, { repository }))
  const results = new Map<string, readonly SeenResult[]>()
  for (const card of cards) {
    const coverage = coverages(card.id)
    const later: SeenResult[] = []
    for (const row of coverage.repositories.flatMap(repository => onDefault.get(repository) ?? [])) {
      const result = resultOf(row)
      if ((await coverage.uncovered(result)).reason === null) later.push(result)
    }
    results.set(card.id, [...toldOf(card, told), ...later])
  }
  const lower = await loweredFor(db, 'card', results)
  return new Map(
    cards.map(card => [
      card.id,
      [ownSubject(card, [...results.get(card.id)!.map(lower(card.id)), ...saidOf(card, told)])],
    ]),
  )
}

/** The results that count for a card; for one that is done, only passed ones. */
const toldOf = ({ id, status }: ProvenCard, { results }: ToldOfCards): SeenResult[] =>
  (results.get(id) ?? []).filter(row => status !== 'done' || row.status === 'passed').map(row => resultOf(row))

/** The active validation of a card, if a present person gave it. */
function saidOf({ id, validation_stay }: ProvenCard, { validations }: ToldOfCards): Result[] {
  const active = (validations.get(id) ?? []).findLast(({ stay }) => stay === validation_stay)
  return active?.present === 1 ? [answerOf(active)] : []
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

/** The proof of each of some cards, by card id. */
export async function proofsOfCards(
  db: Db,
  cards: readonly CardAndSpec[],
  settings: ProofSettings,
): Promise<ReadonlyMap<string, RecordProof>> {
  const coverages = await coverageOf(
    db,
    'card',
    cards.map(({ card }) => card.id),
  )
  const tested = cards.flatMap(each => {
    const scenarios = scenariosOfCard(each)
    return scenarios.length === 0 || each.spec === null ? [] : [{ id: each.card.id, spec: each.spec, scenarios }]
  })
  const byScenarios = await scenarioSubjects(db, 'card', tested)
  const others = cards.flatMap(({ card }) => (byScenarios.has(card.id) ? [] : [card]))
  const subjects = new Map([...byScenarios, ...(await ownSubjects(db, others, coverages))])
  const proofs = new Map<string, RecordProof>()
  for (const [id, own] of subjects) proofs.set(id, await judged(own, settings, coverages(id)))
  return proofs
}

/**
 * The proof of a card.
 * @param spec the spec of the card; null if it has none
 */
export const proofOfCard = async (
  db: Db,
  card: ProvenCard,
  spec: ProvenSpec | null,
  settings: ProofSettings,
): Promise<RecordProof> => (await proofsOfCards(db, [{ card, spec }], settings)).get(card.id)!

/** The proof of each of some specs, by spec id: their scenarios. */
export async function proofsOfSpecs(
  db: Db,
  specs: readonly ProvenSpec[],
  settings: ProofSettings,
): Promise<ReadonlyMap<string, RecordProof>> {
  const coverages = await coverageOf(
    db,
    'spec',
    specs.map(({ id }) => id),
  )
  const records = specs.map(spec => ({ id: spec.id, spec, scenarios: spec.test_scenarios ?? [] }))
  const proofs = new Map<string, RecordProof>()
  for (const [id, own] of await scenarioSubjects(db, 'spec', records))
    proofs.set(id, await judged(own, settings, coverages(id)))
  return proofs
}

/** The proof of a spec: its scenarios. */
export const proofOfSpec = async (db: Db, spec: ProvenSpec, settings: ProofSettings): Promise<RecordProof> =>
  (await proofsOfSpecs(db, [spec], settings)).get(spec.id)!

type TestCard = Pick<CardsTable, 'card_type' | 'test_scenario_ids'> & { archived: Flag }

const cardsOfSprint = hot<{ sprint: string }, TestCard>((db, param) =>
  db
    .selectFrom('cards')
    .select(['card_type', 'archived', 'test_scenario_ids'])
    .where('sprint_id', '=', param('sprint')),
)

/** The proof of a sprint: the scenarios in its scope, and those of its test cards. */
export async function proofOfSprint(
  db: Db,
  { id, test_scenario_ids }: ProvenSprint,
  spec: ProvenSpec,
  settings: ProofSettings,
): Promise<RecordProof> {
  const tested = (await cardsOfSprint(db, { sprint: id }))
    .filter(({ card_type, archived }) => card_type === 'test' && archived === 0)
    .flatMap(card => parseJson(card.test_scenario_ids))
  const scope = new Set([...(test_scenario_ids ?? []), ...tested])
  const scenarios = (spec.test_scenarios ?? []).filter(scenario => scope.has(scenario.id))
  if (scenarios.length === 0) return []
  const coverages = await coverageOf(db, 'sprint', [id])
  const subjects = await scenarioSubjects(db, 'sprint', [{ id, spec, scenarios }])
  return judged(subjects.get(id)!, settings, coverages(id))
}
