import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

/** A request whose body is sent in two parts. */
export interface SlowRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** An answer as received. */
export interface SlowAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of all operations
  readonly body: any
}

/** Sends the first half of a body once the server has begun with the request, then does something, then sends the rest. */
export async function sentSlowly(
  { method, url, headers, body }: SlowRequest,
  between: () => Promise<void>,
): Promise<SlowAnswer> {
  const outgoing = request(url, {
    method,
    agent: false,
    headers: { ...headers, 'content-length': body.byteLength, expect: '100-continue' },
  })
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
  answered.catch(() => {})
  outgoing.flushHeaders()
  await once(outgoing, 'continue')
  const half = Math.floor(body.byteLength / 2)
  await new Promise<void>(resolve => outgoing.write(body.subarray(0, half), () => resolve()))
  await between()
  outgoing.end(body.subarray(half))
  const [answer] = await answered
  const received = await text(answer)
  const isJson = answer.headers['content-type']?.includes('json') ?? false
  return { status: answer.statusCode!, body: isJson && received !== '' ? JSON.parse(received) : received }
}
