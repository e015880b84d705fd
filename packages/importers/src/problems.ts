import type { Entry, Inference, NeutralRecord, Problem, Severity, SourcePlace } from './neutral.ts'

/** What a problem is about. */
export type About = Partial<Pick<Problem, 'kind' | 'id'>> & { readonly place: SourcePlace }

export const aboutRecord = ({ place, type, id }: NeutralRecord): Required<About> => ({ place, kind: type, id })

/** Collects a reader's problems, and which files it has used. */
export class Problems {
  readonly #all: Problem[] = []
  readonly #named = new Set<string | null>()
  readonly #inferred = new Map<string, number>()

  get all(): readonly Problem[] {
    return this.#all
  }

  get inferred(): readonly Inference[] {
    return [...this.#inferred].map(([what, count]) => ({ what, count }))
  }

  tell(severity: Severity, { place, kind = null, id = null }: About, reason: string): void {
    this.names(place.entry)
    this.#all.push({ entry: place.entry, line: place.line, kind, id, reason, severity })
  }

  /** Counts something that was inferred. */
  infer(inference: string): void {
    this.#inferred.set(inference, (this.#inferred.get(inference) ?? 0) + 1)
  }

  /** Marks a file as accounted for. */
  names(entry: string | null): void {
    this.#named.add(entry)
  }

  /** The files that nothing mentions. */
  unnamed(entries: readonly Entry[]): Entry[] {
    return entries.filter(({ name }) => !this.#named.has(name))
  }
}
