import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'

/** A request whose body, if any, is ready. */
export interface PlainRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | FormData | undefined
  /** Closes the connection. */
  readonly signal?: AbortSignal | undefined
}

/** An answer that was read to its end. */
export interface PlainAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const connections = new Agent({ keepAlive: true })

/**
 * Sends a request over a kept connection, asks for no compression and reads the answer to its end. `fetch` asks for compression
 * whatever a test is about, and takes more than twice the processor time of the service's answer.
 */
export async function plainRequest(url: string, { body, ...init }: PlainRequest): Promise<PlainAnswer> {
  const { headers, bytes } = body instanceof FormData ? await formOf(body) : textOf(body)
  const response = await answered(url, { ...init, headers: { ...headers, ...init.headers } }, bytes)
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return {
    status: response.statusCode!,
    headers: headersOf(response.headers),
    text: Buffer.concat(chunks).toString(),
  }
}

/** The body of a request and the headers that describe it. */
interface Body {
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer | undefined
}

function textOf(text: string | undefined): Body {
  if (text === undefined) return { headers: {}, bytes: undefined }
  const bytes = Buffer.from(text)
  return { headers: { 'content-length': String(bytes.length) }, bytes }
}

async function formOf(form: FormData): Promise<Body> {
  const encoded = new Response(form)
  const bytes = Buffer.from(await encoded.arrayBuffer())
  const type = encoded.headers.get('content-type')!
  return { headers: { 'content-type': type, 'content-length': String(bytes.length) }, bytes }
}

const answered = (url: string, init: Omit<PlainRequest, 'body'>, bytes: Buffer | undefined) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { ...init, agent: connections })
      .once('response', resolve)
      .once('error', reject)
      .end(bytes)
  })

function headersOf(received: IncomingHttpHeaders): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(received))
    for (const value of [values ?? []].flat()) headers.append(name, value)
  return headers
}
