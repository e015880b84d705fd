/** A request to be sent over and over. */
export interface Load {
  readonly url: string
  readonly method?: 'GET' | 'POST' | 'PATCH'
  readonly headers: Readonly<Record<string, string>>
  /** `[<id>]` in it is another text than in the requests before. */
  readonly body?: string
}

/** What stands for another text in each request. */
export const placeholder = '[<id>]'

/** What a load measured. */
export interface Measured {
  /** Requests a second. */
  readonly rate: number
  /** Latencies, ms. */
  readonly p50: number
  readonly p99: number
}
