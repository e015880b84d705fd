import type { IncomingMessage } from 'node:http'
import type { JsonRequest, JsonResponse } from '@specboard/client/calls'
import { requester } from './requester.ts'

const isRedirect = ({ statusCode = 0, headers }: IncomingMessage): boolean =>
  statusCode >= 300 && statusCode < 400 && headers.location !== undefined

/**
 * Requests JSON from a service without `fetch`, which takes longer to load than most verbs take in all. Only redirects
 * are left to `fetch`, because it has many rules for them.
 * @throws TypeError `fetch failed` if nobody answers, as `fetch` does
 */
export async function ask(address: URL, request: JsonRequest): Promise<JsonResponse> {
  const { method, headers, body, signal } = request
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { method, headers: { accept: '*/*', ...headers }, ...(signal !== null && { signal }) }
      requester(address)(address, options, resolve).once('error', reject).end(body)
    })
    if (isRedirect(response)) {
      response.resume()
      return await fetch(address, request)
    }
    const text = await textOf(response)
    const { statusCode: status = 0, headers: responseHeaders } = response
    return {
      ok: status >= 200 && status < 300,
      status,
      headers: { get: name => [responseHeaders[name.toLowerCase()] ?? null].flat().join(', ') || null },
      json: async () => JSON.parse(text),
    }
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw error instanceof TypeError ? error : new TypeError('fetch failed', { cause: error })
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of response) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}
