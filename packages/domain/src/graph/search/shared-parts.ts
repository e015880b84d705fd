import { trigrams } from '../embedding/lexical.ts'
import { terms } from '../text/terms.ts'

/**
 * The parts of a text that the built-in embedder compares. It maps every part to one of a few hundred dimensions, so
 * that texts that share nothing may seem similar; their similarity is set to 0 (knowledge-graph 7.2).
 */
export class SharedParts {
  readonly #parts: ReadonlySet<string>

  constructor(text: string) {
    this.#parts = new Set(terms(text).flatMap(trigrams))
  }

  /** Whether another text shares a trigram with this one; if not, it shares no term either. */
  areIn(text: string): boolean {
    return terms(text).some(term => trigrams(term).some(part => this.#parts.has(part)))
  }
}
