import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'

/** A request that a sink has received. */
export interface TakenRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** The body, where it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies of several services
  readonly json: any
}

/** How a sink answers. */
export interface SinkAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A receiver of a test, which remembers what it was sent. */
export class HttpSink {
  readonly requests: TakenRequest[] = []
  /** Its answer; by default 200 with an empty object. */
  answer: (request: TakenRequest) => SinkAnswer | Promise<SinkAnswer> = () => ({})
  readonly #server: Server
  readonly #waiting: (() => void)[] = []

  private constructor() {
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', part => parts.push(part))
      request.on('end', async () => {
        const body = Buffer.concat(parts)
        const record = { path: request.url ?? '', headers: request.headers, body, json: parsed(body) }
        this.requests.push(record)
        for (const resolve of this.#waiting.splice(0)) resolve()
        const { status = 200, headers = {}, body: reply = {} } = await this.answer(record)
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(reply))
      })
    })
  }

  static async start(): Promise<HttpSink> {
    const sink = new HttpSink()
    await new Promise<void>(resolve => sink.#server.listen(0, '127.0.0.1', resolve))
    return sink
  }

  get url(): string {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('The sink does not listen.')
    return `http://127.0.0.1:${address.port}`
  }

  /** Waits until `count` of the requests that a test looks for have arrived. */
  async taken(count: number, which: (request: TakenRequest) => boolean = () => true): Promise<readonly TakenRequest[]> {
    for (;;) {
      const found = this.requests.filter(which)
      if (found.length >= count) return found
      await new Promise<void>(resolve => this.#waiting.push(resolve))
    }
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise(resolve => this.#server.close(resolve))
  }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
