import autocannon from 'autocannon'
import { type Load, type LoadResult, placeholder, sentBy } from './request.ts'

/** Requests that a connection sends repeatedly, built beforehand so that building them is not the bottleneck. */
const preparedRequests = 100

/** Sends load to a server for some seconds, from this process. */
export async function measureWithAutocannon(load: Load, seconds: number, connections: number): Promise<LoadResult> {
  const { url, method = 'GET', headers, body } = load
  const requests = sentBy(load)
  let clients = 0
  const setupClient = (client: autocannon.Client) => {
    const place = clients++ * preparedRequests
    const name = `${clients} of ${Date.now()}`
    client.setRequests(
      Array.from({ length: preparedRequests }, (_, index) => {
        const { path, body: text } = requests[(place + index) % requests.length]!
        return {
          method,
          headers: { ...headers },
          ...(path !== '' && { path }),
          ...(text !== undefined && { body: text.replace(placeholder, `${index} by ${name}`) }),
        }
      }),
    )
  }
  const varies = load.requests !== undefined || body?.includes(placeholder)
  const result = await autocannon({
    url,
    method,
    headers: { ...headers },
    connections,
    duration: seconds,
    ...(body !== undefined && { body }),
    ...(varies && { setupClient }),
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${method} ${url}: ${result.non2xx} refused, ${result.errors} failed`)
  return { rate: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 }
}

/**
 * The latency of each request of a load, in fractional ms. 16 connections send one request after the other, as fast
 * as they are answered, or `perSecond` in total.
 */
export function latencies(
  { url, method = 'GET', headers, body }: Load,
  seconds: number,
  perSecond?: number,
): Promise<number[]> {
  const times: number[] = []
  const options = {
    url,
    method,
    headers: { ...headers },
    connections: 16,
    duration: seconds,
    ...(perSecond !== undefined && { overallRate: perSecond }),
    ...(body !== undefined && { body }),
  }
  return new Promise((resolve, reject) => {
    const running = autocannon(options, (error, { non2xx, errors }) => {
      if (error !== null || non2xx + errors > 0)
        reject(error ?? new Error(`${method} ${url}: ${non2xx} refused, ${errors} failed`))
      else resolve(times)
    })
    running.on('response', (_client, _status, _bytes, time) => times.push(time))
  })
}
