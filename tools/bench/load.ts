import autocannon from 'autocannon'

/** A request to be sent over and over. */
export interface Load {
  readonly url: string
  readonly method?: 'GET' | 'POST' | 'PATCH'
  readonly headers: Readonly<Record<string, string>>
  /** `[<id>]` in it is another text than in the requests before. */
  readonly body?: string
}

/** What stands for another text in each request. */
const placeholder = '[<id>]'

/** Requests that a connection sends over and over, made beforehand: a load that makes each one anew would itself be the limit. */
const preparedRequests = 100

/** What a load measured. */
export interface Measured {
  /** Requests a second. */
  readonly rate: number
  /** Latencies, ms. */
  readonly p50: number
  readonly p99: number
}

/** Loads a server with 16 connections for some seconds. */
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

/** The compiler of the engine needs so long until a path runs at its speed. */
const warmUpSeconds = 4

/** Measures two servers in turn, several times, and gives the round with the median rate of each. */
export async function compare(
  ours: Load,
  bare: Load,
  seconds: number,
  rounds: number,
): Promise<{ readonly ours: Measured; readonly bare: Measured }> {
  const measured: { ours: Measured[]; bare: Measured[] } = { ours: [], bare: [] }
  await measure(ours, warmUpSeconds)
  await measure(bare, warmUpSeconds)
  for (let round = 0; round < rounds; round++) {
    measured.ours.push(await measure(ours, seconds))
    measured.bare.push(await measure(bare, seconds))
  }
  return { ours: median(measured.ours), bare: median(measured.bare) }
}

const median = (all: readonly Measured[]): Measured =>
  [...all].sort((a, b) => a.rate - b.rate)[Math.floor(all.length / 2)]!
