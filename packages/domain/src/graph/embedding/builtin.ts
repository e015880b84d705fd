import { turn } from '../../lib/turn.ts'
import type { Embedder } from './embedder.ts'
import { lexicalDimension, lexicalModel, lexicalVector } from './lexical.ts'

/** How many texts are embedded before other work gets a turn. */
const slice = 200

/** The built-in embedder: always available, needs no download, and gives the same vector for the same text. */
export const builtinEmbedder: Embedder = {
  provider: 'builtin',
  model: lexicalModel,
  dimension: lexicalDimension,
  kind: 'lexical',
  isLoaded: true,
  async embed(texts, signal) {
    const vectors: Float32Array[] = []
    for (const [index, text] of texts.entries()) {
      if (index > 0 && index % slice === 0) await turn()
      signal?.throwIfAborted()
      vectors.push(lexicalVector(text))
    }
    return vectors
  },
}
