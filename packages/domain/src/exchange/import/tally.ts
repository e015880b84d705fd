import { errorMessage } from '@specboard/storage'
import type { ImportWrite } from '../../schema/contents.ts'
import { kindOf } from '../kinds/kinds.ts'
import type { Format, Problem, SourceFindings, SourceRecord } from './source.ts'
import { eachOf, writeText } from './write.ts'

type Outcome = 'created' | 'updated' | 'unchanged' | 'skipped'

/** How many problems a report lists (exchange 1). */
const maxProblems = 1_000

/** How many reasons for skipping a report lists; further ones are combined. */
const maxReasons = 100

const otherReasons = 'Other reasons'

/** The report of a source that has nothing besides its records. */
const nothingFound: SourceFindings = { problems: [], mapped_words: [], inferred: [] }

/** The kinds whose records are rows that an import inserts; every created record also leaves an external id. */
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
  readonly #found: SourceFindings
  readonly #skippedReasons = new Map<string, number>()
  readonly #notRead: { entry: string | null; line: number | null; reason: string }[] = []
  #notReadTotal = 0

  /** @param found what was reported while the file was read: a record that was skipped counts as read */
  constructor(found: SourceFindings = nothingFound) {
    this.#found = found
    for (const { severity, ...problem } of found.problems) {
      this.#add({ ...problem, severity: severity === 'not_read' ? 'skipped' : severity })
      if (severity === 'not_read') this.#addNotRead(problem)
      else if (severity === 'skipped') {
        if (problem.kind !== null) this.count(problem.kind, 'skipped')
        this.#skippedBecause(reasonOf(problem))
      }
    }
  }

  /** Counts a record that was read. */
  count(kind: string, outcome: Outcome): void {
    for (const counts of [this.#counts.read, this.#counts[outcome]]) counts[kind] = (counts[kind] ?? 0) + 1
  }

  /** Adds a problem of a record. */
  problem({ type, id, place }: SourceRecord, severity: Problem['severity'], reason: string): void {
    this.#add({ ...place, kind: type, id, reason, severity })
    if (severity === 'skipped') this.#skippedBecause(reason)
  }

  /** Adds up the reports about a kind of record. */
  note(kind: string, reason: string): void {
    this.#add({ entry: null, line: null, kind, id: null, reason, severity: 'note' })
  }

  /** Counts a record that was to be created or changed as skipped, and adds why it could not be written. */
  leaveOut(write: ImportWrite, error: unknown): void {
    const writes = eachOf(write)
    const of = writes.find(one => 'table' in one && kindOfTable.has(one.table)) ?? writes[0]!
    const kind = 'table' in of ? kindOfTable.get(of.table) : of.kind === 'design' ? 'architecture' : undefined
    if (kind !== undefined) {
      this.#move(kind, of.kind === 'insert' ? 'created' : 'updated')
      this.#skippedBecause('It could not be written')
    }
    const why = errorMessage(error)
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
    if (this.#problems.length < maxProblems) this.#problems.push(problem)
  }

  #addNotRead({ entry, line, reason }: Omit<Problem, 'severity'>): void {
    this.#notReadTotal++
    if (this.#notRead.length < maxProblems) this.#notRead.push({ entry, line, reason })
  }

  #skippedBecause(reason: string): void {
    const isListed = this.#skippedReasons.has(reason) || this.#skippedReasons.size < maxReasons
    const key = isListed ? reason : otherReasons
    this.#skippedReasons.set(key, (this.#skippedReasons.get(key) ?? 0) + 1)
  }

  /** The report, without the facts known only at the end. */
  report(format: Format, dryRun: boolean) {
    return {
      format,
      dry_run: dryRun,
      ...this.#counts,
      sums: {
        read: sumOf(this.#counts.read),
        created: sumOf(this.#counts.created),
        changed: sumOf(this.#counts.updated),
        unchanged: sumOf(this.#counts.unchanged),
        skipped: sumOf(this.#counts.skipped),
        not_read: this.#notReadTotal,
      },
      skipped_reasons: Object.fromEntries(this.#skippedReasons),
      not_read: this.#notRead,
      not_read_total: this.#notReadTotal,
      inferred: [...this.#found.inferred],
      mapped_words: [...this.#found.mapped_words],
      problems: this.#problems,
      problems_total: this.#problemsTotal,
    }
  }
}

/** Why something was skipped, without the ids of links' targets: links to missing records are counted together. */
const reasonOf = ({ kind, id, reason }: Pick<Problem, 'kind' | 'id' | 'reason'>): string =>
  kind === 'dependency' && id !== null
    ? id.split('>').reduce((text, end) => text.replace(` ${end},`, ' …,'), reason)
    : reason

/** The id of the record that a write creates or changes. */
function idOf(write: ImportWrite): string | null {
  if ('id' in write) return write.id
  return 'row' in write && typeof write.row.id === 'string' ? write.row.id : null
}

const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)
