import type { Format, Incoming, Problem } from './source.ts'

type Outcome = 'created' | 'updated' | 'unchanged' | 'skipped'

/** How many problems a report lists (exchange 1). */
const mostProblems = 1_000

/** What an import has read and done so far, by kind of record. */
export class Tally {
  readonly #counts: Record<'read' | Outcome, Record<string, number>> = {
    read: {},
    created: {},
    updated: {},
    unchanged: {},
    skipped: {},
  }
  readonly #problems: Problem[] = []
  #problemsTotal = 0

  /** @param found what was not taken over while the file was read: a record that was skipped counts as read */
  constructor(found: readonly Problem[]) {
    for (const problem of found) {
      this.#add(problem)
      if (problem.severity === 'skipped' && problem.kind !== null) this.count(problem.kind, 'skipped')
    }
  }

  /** Counts a record that was read. */
  count(kind: string, outcome: Outcome): void {
    for (const counts of [this.#counts.read, this.#counts[outcome]]) counts[kind] = (counts[kind] ?? 0) + 1
  }

  /** Adds a problem of a record. */
  problem({ type, id, place }: Incoming, severity: Problem['severity'], reason: string): void {
    this.#add({ ...place, kind: type, id, reason, severity })
  }

  #add(problem: Problem): void {
    this.#problemsTotal++
    if (this.#problems.length < mostProblems) this.#problems.push(problem)
  }

  /** The report, without what is known at the end alone. */
  report(format: Format, dryRun: boolean) {
    return {
      format,
      dry_run: dryRun,
      ...this.#counts,
      problems: this.#problems,
      problems_total: this.#problemsTotal,
    }
  }
}
