import { excerpt } from '../../lib/excerpt.ts'

/** What makes vectors of texts: the one seam between the graph and any model. */
export interface Embedder {
  readonly provider: 'builtin' | 'http'
  /** The name that vectors are kept under; those of another are never compared. */
  readonly model: string
  readonly dimension: number
  readonly kind: 'lexical' | 'semantic'
  /** Whether the last call was answered. */
  readonly isLoaded: boolean
  /**
   * Normalised vectors of texts, in their order.
   * @throws EmbeddingError when they cannot be had; the reason of the signal when it fires
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>
}

/** An embedder that did not answer, or not with what was asked. */
export class EmbeddingError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'EmbeddingError'
  }
}

/** The most characters of a node's content that are embedded. */
const contentLength = 2_000

/** The text of a node that is embedded. */
export const embeddedText = (node: { readonly title: string; readonly content: string }): string =>
  `${node.title}\n${excerpt(node.content, contentLength)}`
