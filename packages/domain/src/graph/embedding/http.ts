import { z } from 'zod'
import { type Embedder, EmbeddingError } from './embedder.ts'
import { normalised } from './vectors.ts'

/** An endpoint that makes embeddings in place of the built-in embedder. */
export interface EmbeddingEndpoint {
  /** The URL to which texts are posted. */
  readonly url: string
  readonly model: string
  readonly apiKey?: string | undefined
  readonly dimension: number
}

/** Timeout and retries of calls; tests shorten them. */
export interface EmbeddingTimeouts {
  readonly timeoutMs: number
  readonly retries: number
  /** Pause before the first retry, ms; doubled for each further retry. */
  readonly pauseMs: number
}

const batchSize = 64
const defaultPatience: EmbeddingTimeouts = { timeoutMs: 10_000, retries: 2, pauseMs: 250 }

const Answer = z.object({ data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()) })) })

/** Calls an endpoint of the usual embeddings API (knowledge-graph 7.1). */
export class HttpEmbedder implements Embedder {
  readonly provider = 'http'
  readonly kind = 'semantic'
  readonly model: string
  readonly dimension: number
  readonly #endpoint: EmbeddingEndpoint
  readonly #patience: EmbeddingTimeouts
  #isLoaded = false

  constructor(endpoint: EmbeddingEndpoint, patience: EmbeddingTimeouts = defaultPatience) {
    this.model = endpoint.model
    this.dimension = endpoint.dimension
    this.#endpoint = endpoint
    this.#patience = patience
  }

  get isLoaded(): boolean {
    return this.#isLoaded
  }

  async embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const vectors: Float32Array[] = []
    for (let start = 0; start < texts.length; start += batchSize)
      vectors.push(...(await this.#batch(texts.slice(start, start + batchSize), signal)))
    return vectors
  }

  async #batch(texts: readonly string[], signal: AbortSignal | undefined): Promise<Float32Array[]> {
    const { retries, pauseMs } = this.#patience
    for (let attempt = 0; ; attempt++) {
      try {
        const vectors = await this.#request(texts, signal)
        this.#isLoaded = true
        return vectors
      } catch (error) {
        signal?.throwIfAborted()
        this.#isLoaded = false
        if (attempt >= retries || !(error instanceof Unanswered)) throw error
        await new Promise(resolve => setTimeout(resolve, pauseMs * 2 ** attempt))
      }
    }
  }

  async #request(texts: readonly string[], signal: AbortSignal | undefined): Promise<Float32Array[]> {
    const { url, model, apiKey } = this.#endpoint
    const timeout = AbortSignal.timeout(this.#patience.timeoutMs)
    let response: Response
    let body: unknown
    try {
      response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify({ model, input: texts }),
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      })
      body = await response.json().catch(() => undefined)
    } catch (error) {
      throw new Unanswered('The embedding endpoint did not answer.', { cause: error })
    }
    if (response.status === 429 || response.status >= 500)
      throw new Unanswered(`The embedding endpoint answered ${response.status}.`)
    if (!response.ok) throw new EmbeddingError(`The embedding endpoint answered ${response.status}.`)
    return this.#vectorsOf(body, texts.length)
  }

  #vectorsOf(body: unknown, count: number): Float32Array[] {
    const parsed = Answer.safeParse(body)
    if (!parsed.success) throw new EmbeddingError('The embedding endpoint answered in an unexpected form.')
    const byIndex = new Map(parsed.data.data.map(({ index, embedding }) => [index, embedding]))
    return Array.from({ length: count }, (_, index) => {
      const embedding = byIndex.get(index)
      if (embedding?.length !== this.dimension)
        throw new EmbeddingError(
          `The embedding endpoint gave ${embedding?.length ?? 'no'} dimensions instead of ${this.dimension}.`,
        )
      return normalised(embedding)
    })
  }
}

/** A failure that a retry may resolve. */
class Unanswered extends EmbeddingError {}
