/** Headers of every event stream (mcp 2.6). */
const streamHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

const keepAliveMs = 15_000

/** An open event stream of JSON-RPC messages. Events carry no ids: streams are not resumable. */
export class EventStream {
  readonly response: Response
  readonly #encoder = new TextEncoder()
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #alive: NodeJS.Timeout | undefined

  /** @param onEnd called once, when either side ends the stream */
  constructor(onEnd: () => void, headers: Readonly<Record<string, string>> = {}) {
    let ended = false
    this.#end = () => {
      clearInterval(this.#alive)
      this.#controller = undefined
      if (!ended) onEnd()
      ended = true
    }
    const body = new ReadableStream<Uint8Array>({
      start: controller => {
        this.#controller = controller
        this.#alive = setInterval(() => this.#write(': alive\n\n'), keepAliveMs)
        this.#alive.unref()
        this.#write(': open\n\n')
      },
      cancel: () => this.#end(),
    })
    this.response = new Response(body, { status: 200, headers: { ...streamHeaders, ...headers } })
  }

  readonly #end: () => void

  /** Sends a message; does nothing once the stream has ended. */
  send(message: unknown): void {
    this.#write(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
  }

  /** Ends the stream. */
  close(): void {
    const controller = this.#controller
    this.#end()
    controller?.close()
  }

  #write(text: string): void {
    this.#controller?.enqueue(this.#encoder.encode(text))
  }
}
