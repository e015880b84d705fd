/** Judges subjects by what a board requires and by their changes (evidence 7). */
import type { Coverage } from './coverage.ts'
import {
  type CoverageGap,
  countingOf,
  type JudgedItem,
  judgeSubject,
  type ProofSettings,
  type Subject,
} from './rules.ts'

/** What proves a record, item by item. */
export type RecordProof = readonly JudgedItem[]

const nothing: CoverageGap = { reason: null, commits: [] }

/**
 * Judges the subjects of records. A subject that several records share is judged only once if no change could be left
 * uncovered by its results.
 */
export class Judges {
  readonly #settings: ProofSettings
  readonly #known = new Map<Subject, JudgedItem>()

  constructor(settings: ProofSettings) {
    this.#settings = settings
  }

  judged(subjects: readonly Subject[], coverage: Coverage): RecordProof | Promise<RecordProof> {
    return coverage.isEmpty ? this.alone(subjects) : this.#covered(subjects, coverage)
  }

  /** Judges subjects without any changes to cover. */
  alone(subjects: readonly Subject[]): RecordProof {
    return subjects.map(subject => this.#uncovering(subject))
  }

  #uncovering(subject: Subject): JudgedItem {
    const cached = this.#known.get(subject)
    if (cached !== undefined) return cached
    const counting = countingOf(subject, this.#settings)
    const item = judgeSubject(subject, this.#settings, { counting, uncovered: nothing })
    this.#known.set(subject, item)
    return item
  }

  async #covered(subjects: readonly Subject[], coverage: Coverage): Promise<RecordProof> {
    const items: JudgedItem[] = []
    for (const subject of subjects) {
      const counting = countingOf(subject, this.#settings)
      const uncovered = counting === null ? nothing : await coverage.uncovered(counting)
      items.push(judgeSubject(subject, this.#settings, { counting, uncovered }))
    }
    return items
  }
}

/** Judges subjects without any changes to cover. */
export const judgedAlone = (subjects: readonly Subject[], settings: ProofSettings): RecordProof =>
  new Judges(settings).alone(subjects)

/** Judges the subjects of one record. */
export const judged = (subjects: readonly Subject[], settings: ProofSettings, coverage: Coverage) =>
  new Judges(settings).judged(subjects, coverage)
