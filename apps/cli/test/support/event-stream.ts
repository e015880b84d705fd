import type { TestAgent, World } from './world.ts'

/** A message of an event stream. */
export interface Message {
  readonly id: string | undefined
  readonly event: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: data of all events
  readonly data: any
  readonly retry: string | undefined
}

const fieldOf = (block: string, name: string): string | undefined =>
  block
    .split('\n')
    .find(line => line.startsWith(`${name}: `))
    ?.slice(name.length + 2)

/** How a stream is opened; by default by the owner. */
export interface StreamOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly as?: TestAgent
}

/** An open event stream that is read message by message. */
export class EventStream {
  readonly response: Response
  readonly #abort: AbortController
  readonly #reader: ReadableStreamDefaultReader<string>
  #text = ''

  private constructor(response: Response, abort: AbortController) {
    this.response = response
    this.#abort = abort
    this.#reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  }

  static async open(world: World, path: string, { headers = {}, as = world.owner }: StreamOptions = {}) {
    const abort = new AbortController()
    const response = await fetch(`${world.running.url}${path}`, {
      headers: { authorization: `Bearer ${as.key}`, accept: 'text/event-stream', ...headers },
      signal: abort.signal,
    })
    return new EventStream(response, abort)
  }

  /** The next message; null at the end. */
  async next(): Promise<Message | null> {
    for (;;) {
      const end = this.#text.indexOf('\n\n')
      if (end !== -1) {
        const block = this.#text.slice(0, end)
        this.#text = this.#text.slice(end + 2)
        const data = fieldOf(block, 'data')
        if (data === undefined) continue
        return {
          id: fieldOf(block, 'id'),
          event: fieldOf(block, 'event'),
          data: JSON.parse(data),
          retry: fieldOf(block, 'retry'),
        }
      }
      const { done, value } = await this.#reader.read()
      if (done) return null
      this.#text += value
    }
  }

  /** The next message of the given event. */
  async nextOf(event: string): Promise<Message> {
    for (;;) {
      const message = await this.next()
      if (message === null) throw new Error(`The stream ended before ${event}.`)
      if (message.event === event) return message
    }
  }

  close(): void {
    this.#abort.abort()
  }
}
