import type { ImportProgress } from '../../kernel/context.ts'

/** At most four messages a second. */
const everyMs = 250

/** Tells how far an import is, now and then. */
export class Progress {
  readonly #told: (progress: ImportProgress) => void
  readonly #about: Pick<ImportProgress, 'import_id' | 'filename' | 'total'>
  #phase: ImportProgress['phase'] = 'reading'
  #done = 0
  #last = 0

  constructor(
    told: (progress: ImportProgress) => void,
    about: Pick<ImportProgress, 'import_id' | 'filename' | 'total'>,
  ) {
    this.#told = told
    this.#about = about
    this.#tell()
  }

  /** Begins a phase, whose records are counted from 0. */
  begin(phase: ImportProgress['phase']): void {
    this.#phase = phase
    this.#done = 0
  }

  /** One more record, or so many. */
  step(by = 1): void {
    this.#done += by
    if (performance.now() - this.#last >= everyMs) this.#tell()
  }

  #tell(): void {
    this.#last = performance.now()
    this.#told({ ...this.#about, phase: this.#phase, done: this.#done })
  }
}
