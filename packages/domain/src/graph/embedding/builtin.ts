import type { Embedder } from './embedder.ts'
import { lexicalDimension, lexicalModel, lexicalVector } from './lexical.ts'

/** Texts that are embedded before the event loop turns. */
const slice = 200

/** The built-in embedder: always there, no download, the same vector for the same text. */
export const builtinEmbedder: Embedder = {
  provider: 'builtin',
  model: lexicalModel,
  dimension: lexicalDimension,
  kind: 'lexical',
  isLoaded: true,
  async embed(texts, signal) {
    const vectors: Float32Array[] = []
    for (const [index, text] of texts.entries()) {
      if (index > 0 && index % slice === 0) await new Promise(resolve => setImmediate(resolve))
      signal?.throwIfAborted()
      vectors.push(lexicalVector(text))
    }
    return vectors
  },
}
