/** Specs and their scenarios, as far as their proof depends on them (evidence 7). */
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { parseNullable } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { refOf } from '../../schema/refs.ts'
import { onBoard } from '../../schema/same-board.ts'
import type { SpecsTable } from '../../schema/tables.ts'
import type { ScenarioText } from './results.ts'

/** The fields of a scenario that its proof depends on. */
export interface ProvenScenario extends ScenarioText {
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

export type Scenarios = readonly ProvenScenario[]

type SpecColumns = Pick<SpecsTable, 'id' | 'updated_at' | 'test_scenarios'> & { ref: string }

const specsByIds = hot<{ ids: string; board: string }, SpecColumns>((db, param) =>
  db
    .selectFrom('specs')
    .select(['id', 'updated_at', 'test_scenarios'])
    .select(refOf('specs').as('ref'))
    .where(eb => dialect.inList(eb.ref('id'), sql`${param('ids')}`))
    .where(onBoard('specs', param('board'))),
)

/** Specs of a board by their ids, as far as their proof depends on them. */
export async function provenSpecs(
  db: Db,
  board: string,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, ProvenSpec>> {
  const distinct = [...new Set(ids)]
  if (distinct.length === 0) return new Map()
  const rows = await specsByIds(db, { board, ids: JSON.stringify(distinct) })
  return new Map(
    rows.map(({ test_scenarios, ...spec }) => [
      spec.id,
      { ...spec, test_scenarios: scenariosIn(spec.id, test_scenarios) },
    ]),
  )
}

/** Scenarios as stored: old ones have no `tests` member. */
export const scenariosIn = (id: string, stored: SpecColumns['test_scenarios']): Scenarios | null => {
  const cached = read.get(id)
  if (cached !== undefined && cached.stored === stored) return cached.scenarios
  const scenarios =
    parseNullable(stored)?.map(scenario => (Array.isArray(scenario.tests) ? scenario : { ...scenario, tests: [] })) ??
    null
  read.delete(id)
  if (read.size === maxRead) read.delete(read.keys().next().value!)
  if ((stored?.length ?? 0) <= maxReadLength) read.set(id, { stored, scenarios })
  return scenarios
}

/** A cache of the scenarios of recently read specs: lists read the same ones over and over. */
const read = new Map<string, { readonly stored: SpecColumns['test_scenarios']; readonly scenarios: Scenarios | null }>()
const maxRead = 200
const maxReadLength = 100_000

const indexed = new WeakMap<Scenarios, ReadonlyMap<string, ProvenScenario>>()

/** The scenarios of a spec by their ids. */
export function scenariosById({ test_scenarios }: ProvenSpec): ReadonlyMap<string, ProvenScenario> {
  const scenarios = test_scenarios ?? []
  const byId = indexed.get(scenarios) ?? new Map(scenarios.map(scenario => [scenario.id, scenario]))
  indexed.set(scenarios, byId)
  return byId
}
