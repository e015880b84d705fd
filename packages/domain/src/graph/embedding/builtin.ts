import { yieldToEventLoop } from '../../lib/event-loop.ts'
import type { Embedder } from './embedder.ts'
import { lexicalDimension, lexicalModel, lexicalVector } from './lexical.ts'

/** How many characters are embedded before other work gets a turn. */
const charactersAtOnce = 20_000

/** The built-in embedder: always available, needs no download, and gives the same vector for the same text. */
export const builtinEmbedder: Embedder = {
  provider: 'builtin',
  model: lexicalModel,
  dimension: lexicalDimension,
  kind: 'lexical',
  isLoaded: true,
  async embed(texts, signal) {
    const vectors: Float32Array[] = []
    let characters = 0
    for (const text of texts) {
      if (characters > charactersAtOnce) {
        characters = 0
        await yieldToEventLoop()
      }
      characters += text.length
      signal?.throwIfAborted()
      vectors.push(lexicalVector(text))
    }
    return vectors
  },
}
