import type { ImportWrite } from '../../schema/contents.ts'
import { kindOf } from '../kinds/kinds.ts'
import type { Format, Incoming, Problem } from './source.ts'
import { eachOf, writeText } from './write.ts'

type Outcome = 'created' | 'updated' | 'unchanged' | 'skipped'

/** How many problems a report lists (exchange 1). */
const mostProblems = 1_000

/** The kinds whose records are rows that an import inserts; every record that is made leaves an external id too. */
const kindOfTable: ReadonlyMap<string, string> = new Map(
  [...kindOf.values()].filter(({ type }) => type !== 'external_id').map(({ table, type }) => [table, type]),
)

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

  /** Counts a record as skipped that was to be made or changed, and adds what of it could not be written. */
  leaveOut(write: ImportWrite, error: unknown): void {
    const writes = eachOf(write)
    const of = writes.find(one => 'table' in one && kindOfTable.has(one.table)) ?? writes[0]!
    const kind = 'table' in of ? kindOfTable.get(of.table) : of.kind === 'design' ? 'architecture' : undefined
    if (kind !== undefined) this.#move(kind, of.kind === 'insert' ? 'created' : 'updated')
    const why = error instanceof Error ? error.message : String(error)
    const reason = `It could not be written (${writeText(write)}: ${why})`
    this.#add({ entry: null, line: null, kind: kind ?? null, id: idOf(of), reason, severity: 'skipped' })
  }

  #move(kind: string, outcome: 'created' | 'updated'): void {
    const { skipped, [outcome]: counts } = this.#counts
    counts[kind]!--
    if (counts[kind] === 0) delete counts[kind]
    skipped[kind] = (skipped[kind] ?? 0) + 1
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

/** The id of the record that a write makes or changes. */
function idOf(write: ImportWrite): string | null {
  if ('id' in write) return write.id
  return 'row' in write && typeof write.row.id === 'string' ? write.row.id : null
}
