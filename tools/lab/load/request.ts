/** A request that is sent repeatedly. */
export interface Load {
  readonly url: string
  readonly method?: 'GET' | 'POST' | 'PATCH'
  readonly headers: Readonly<Record<string, string>>
  /** `[<id>]` in it is replaced by a different text in each request. */
  readonly body?: string
  /** What is sent in turn, to paths appended to `url`; by default the same request each time. */
  readonly requests?: readonly RequestToSend[]
}

/** One of several requests that are sent in turn. */
export interface RequestToSend {
  readonly path: string
  /** A body of its own. */
  readonly body?: string
}

/** The requests that are sent in turn; an empty path is that of `url`. */
export const sentBy = ({ requests, body }: Load): readonly RequestToSend[] => {
  const shared = body === undefined ? {} : { body }
  return requests?.map(request => ({ ...shared, ...request })) ?? [{ path: '', ...shared }]
}

/** The placeholder for a different text in each request. */
export const placeholder = '[<id>]'

/** The result of a load. */
export interface LoadResult {
  /** Requests a second. */
  readonly rate: number
  /** Latencies, ms. */
  readonly p50: number
  readonly p99: number
}
