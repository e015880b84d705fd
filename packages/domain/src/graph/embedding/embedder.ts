import { excerpt } from '../../lib/excerpt.ts'

/** Turns texts into vectors; the only interface between the graph and any model. */
export interface Embedder {
  readonly provider: 'builtin' | 'http'
  /** The name stored with each vector; vectors of different models are never compared. */
  readonly model: string
  readonly dimension: number
  readonly kind: 'lexical' | 'semantic'
  /** Whether the last call succeeded. */
  readonly isLoaded: boolean
  /**
   * The normalised vectors of the texts, in the same order.
   * @throws EmbeddingError when they cannot be made; the reason of the signal when it aborts
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>
}

/** Thrown when an embedder does not answer, or gives an unusable answer. */
export class EmbeddingError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'EmbeddingError'
  }
}

/** The maximum number of characters of a node's content that are embedded. */
const contentLength = 2_000

/** The text that is embedded for a node. */
export const embeddedText = (node: { readonly title: string; readonly content: string }): string =>
  `${node.title}\n${excerpt(node.content, contentLength)}`
