/** The one request of a hook (harness 3.1). */
import type { ClientRequest, RequestOptions } from 'node:http'
import type { Variables } from '../frame/credentials.ts'
import { requester } from '../frame/requester.ts'

/** The configured time that hooks wait for a distant service, ms; undefined if it is not set. */
export function configuredTimeout({ SPECBOARD_HOOK_PATIENCE: patience = '' }: Variables): number | undefined {
  return /^\d{1,5}$/.test(patience) ? Number(patience) : undefined
}

/** The service's answer: its status and JSON. */
export interface HookAnswer {
  readonly status: number
  readonly body: unknown
}

/** Maximum number of bytes of an answer that are read. */
const maxBytes = 1 << 20

/**
 * Sends one request to report_hook, and gives up after a time.
 * @throws Error if nobody answers in time
 */
export async function ask(url: URL, key: string, body: string, patienceMs: number): Promise<HookAnswer> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions = {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        connection: 'close',
      },
    }
    let request: ClientRequest | undefined
    const timer = setTimeout(() => {
      request?.destroy()
      reject(new Error(`no answer in ${patienceMs} ms`))
    }, patienceMs)
    const end = (error: Error) => {
      clearTimeout(timer)
      reject(error)
    }
    request = requester(url)(url, options, response => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size <= maxBytes) chunks.push(chunk)
      })
      response.once('error', end)
      response.once('end', () => {
        clearTimeout(timer)
        try {
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) })
        } catch (error) {
          reject(error)
        }
      })
    })
    request.once('error', end)
    request.end(body)
  })
}
