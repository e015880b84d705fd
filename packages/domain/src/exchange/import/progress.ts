import type { ImportProgress } from '../../kernel/context.ts'

/** At most four messages a second. */
const everyMs = 250

/** Reports the progress of an import from time to time, and when everything is written. */
export class Progress {
  readonly #report: (progress: ImportProgress) => void
  readonly #about: Pick<ImportProgress, 'import_id' | 'filename' | 'total'>
  #phase: ImportProgress['phase'] = 'reading'
  #done = 0
  #last = 0
  #isWhole = false

  constructor(
    report: (progress: ImportProgress) => void,
    about: Pick<ImportProgress, 'import_id' | 'filename' | 'total'>,
  ) {
    this.#report = report
    this.#about = about
    this.#tell()
  }

  /** Begins a phase, whose records are counted from 0. */
  begin(phase: ImportProgress['phase']): void {
    this.#phase = phase
    this.#done = 0
    this.#isWhole = false
  }

  /** Counts one more record, or several; the last record written is reported immediately. */
  step(by = 1): void {
    this.#done = Math.min(this.#done + by, this.#about.total)
    const isWritten = this.#phase === 'writing' && this.#done === this.#about.total
    if (isWritten) this.end()
    else if (performance.now() - this.#last >= everyMs) this.#tell()
  }

  /** Reports the end of the phase, once: right before the answer, however much was skipped. */
  end(): void {
    if (this.#isWhole) return
    this.#done = this.#about.total
    this.#isWhole = true
    this.#tell()
  }

  #tell(): void {
    this.#last = performance.now()
    this.#report({ ...this.#about, phase: this.#phase, done: this.#done })
  }
}
