import autocannon from 'autocannon'
import type { Load } from './request.ts'

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
