/** What was found out about the scenarios of specs (evidence 7, rule 1). */
import type { Db } from '../../schema/database.ts'
import {
  claimOf,
  mayBeLowered,
  resultOf,
  resultsOfSpecs,
  type ScenarioResult,
  type SeenResult,
} from './card-evidence.ts'
import type { ProvenScenario, ProvenSpec } from './proven-specs.ts'
import { changesOf } from './results.ts'
import type { Subject } from './rules.ts'

/**
 * The claim that a scenario's status makes if no result supports it (evidence 7, rule 1). A status that was imported
 * with its result makes none.
 */
function asWord({ status, latest_evidence }: ProvenScenario, results: readonly SeenResult[], since: string) {
  if (status !== 'passed' && status !== 'failed') return []
  if (results.some(result => result.status === status)) return []
  const runAt = latest_evidence?.last_run_at
  return [claimOf(status, typeof runAt === 'string' ? runAt : since)]
}

/** The results of the scenarios of some specs, assembled once no matter how many records have them. */
export class ScenarioResults {
  readonly #stored: ReadonlyMap<string, readonly ScenarioResult[]>
  readonly #known = new Map<ProvenScenario, readonly SeenResult[]>()
  readonly #subjects = new Map<ProvenScenario, Subject>()
  readonly #mayBeLowered: boolean

  private constructor(stored: readonly ScenarioResult[]) {
    this.#mayBeLowered = stored.some(mayBeLowered)
    this.#stored = Map.groupBy(stored, ({ spec_id, scenario_id }) => `${spec_id} ${scenario_id}`)
  }

  static async of(db: Db, board: string, specs: Iterable<string>): Promise<ScenarioResults> {
    const distinct = [...new Set(specs)]
    return new ScenarioResults(
      distinct.length === 0 ? [] : await resultsOfSpecs(db, { board, specs: JSON.stringify(distinct) }),
    )
  }

  /** The same for results that have already been read. */
  static from(stored: readonly ScenarioResult[]): ScenarioResults {
    return new ScenarioResults(stored)
  }

  /** Whether a scenario has any result that is more than a claim. */
  isTold({ id }: ProvenSpec, scenario: ProvenScenario): boolean {
    return this.#stored.get(`${id} ${scenario.id}`)?.some(({ tier }) => tier !== 'claimed') === true
  }

  /** Whether some results count less because of who was shown the key that sent them (evidence 1, rule 3). */
  get mayBeLowered(): boolean {
    return this.#mayBeLowered
  }

  /** A scenario with its results. */
  subjectOf(spec: ProvenSpec, scenario: ProvenScenario): Subject {
    const cached = this.#subjects.get(scenario)
    if (cached !== undefined) return cached
    const subject: Subject = {
      kind: 'scenario',
      id: scenario.id,
      ref: `${spec.ref}/${scenario.id}`,
      title: scenario.title,
      isManual: scenario.scenario_type === 'manual',
      results: this.of(spec, scenario),
    }
    this.#subjects.set(scenario, subject)
    return subject
  }

  /** The results of a scenario, including the claim in its status if no result supports it. */
  of(spec: ProvenSpec, scenario: ProvenScenario): readonly SeenResult[] {
    const cached = this.#known.get(scenario)
    if (cached !== undefined) return cached
    const rows = this.#stored.get(`${spec.id} ${scenario.id}`) ?? []
    const changed = rows.length === 0 ? undefined : changesOf(scenario)
    const own = rows.map(row => resultOf(row, changed?.(row.print)))
    const results = [...own, ...asWord(scenario, own, spec.updated_at)]
    this.#known.set(scenario, results)
    return results
  }
}
