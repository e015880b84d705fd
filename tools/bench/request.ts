/** A request that is sent repeatedly. */
export interface Load {
  readonly url: string
  readonly method?: 'GET' | 'POST' | 'PATCH'
  readonly headers: Readonly<Record<string, string>>
  /** `[<id>]` in it is replaced by a different text in each request. */
  readonly body?: string
}

/** The placeholder for a different text in each request. */
export const placeholder = '[<id>]'

/** The result of a load. */
export interface Measured {
  /** Requests a second. */
  readonly rate: number
  /** Latencies, ms. */
  readonly p50: number
  readonly p99: number
}
