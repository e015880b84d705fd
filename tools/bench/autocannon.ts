import autocannon from 'autocannon'
import { type Load, type Measured, placeholder } from './request.ts'

/** Requests that a connection sends over and over, made beforehand: a load that makes each one anew would itself be the limit. */
const preparedRequests = 100

/** Loads a server with connections for some seconds, from this process. */
export async function measureWithAutocannon(
  { url, method = 'GET', headers, body }: Load,
  seconds: number,
  connections: number,
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
