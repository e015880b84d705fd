import autocannon from 'autocannon'

/** A request that is sent repeatedly. */
export interface Load {
  readonly url: string
  readonly method?: 'GET' | 'POST' | 'PATCH'
  readonly headers: Readonly<Record<string, string>>
  /** `[<id>]` in it is replaced by a different text in each request. */
  readonly body?: string
}

/** The placeholder for a different text in each request. */
const placeholder = '[<id>]'

/** Requests that a connection sends repeatedly, built beforehand so that building them is not the bottleneck. */
const preparedRequests = 100

/** The result of a load. */
export interface Measured {
  /** Requests a second. */
  readonly rate: number
  /** Latencies, ms. */
  readonly p50: number
  readonly p99: number
}

/** Sends load to a server over 16 connections for some seconds. */
export async function measure(
  { url, method = 'GET', headers, body }: Load,
  seconds: number,
  connections = 16,
): Promise<Measured> {
  let clients = 0
  const setupClient = (client: autocannon.Client) => {
    const name = `${++clients} of ${Date.now()}`
    client.setRequests(
      Array.from({ length: preparedRequests }, (_, index) => ({
        method,
        headers: { ...headers },
        body: body!.replace(placeholder, `${index} by ${name}`),
      })),
    )
  }
  const result = await autocannon({
    url,
    method,
    headers: { ...headers },
    connections,
    duration: seconds,
    ...(body !== undefined && { body }),
    ...(body?.includes(placeholder) && { setupClient }),
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${method} ${url}: ${result.non2xx} refused, ${result.errors} failed`)
  return { rate: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 }
}

/** The engine's compiler needs this long until a path runs at full speed. */
const warmUpSeconds = 4

/** Two servers under the same load. */
export interface Compared {
  /** The round with the median rate of each. */
  readonly ours: Measured
  readonly bare: Measured
  /** Our rate as a multiple of the bare server's: the median of the rounds. */
  readonly ratio: number
}

/** Measures two servers in turn, several times: a machine's speed may change between rounds, but less within one. */
export async function compare(ours: Load, bare: Load, seconds: number, rounds: number): Promise<Compared> {
  const measured: Compared[] = []
  await measure(ours, warmUpSeconds)
  await measure(bare, warmUpSeconds)
  for (let round = 0; round < rounds; round++) {
    const pair = { ours: await measure(ours, seconds), bare: await measure(bare, seconds) }
    measured.push({ ...pair, ratio: pair.ours.rate / pair.bare.rate })
  }
  const medianBy = (value: (pair: Compared) => number) =>
    measured.toSorted((a, b) => value(a) - value(b))[Math.floor(rounds / 2)]!
  return {
    ours: medianBy(pair => pair.ours.rate).ours,
    bare: medianBy(pair => pair.bare.rate).bare,
    ratio: medianBy(pair => pair.ratio).ratio,
  }
}
