import { messagesOf } from '../../../apps/cli/src/frame/follow-import.ts'

/** How long to wait for an acknowledged write on a stream, ms: only to end a wait that would never end. */
const maxMs = 20_000

interface FollowedStream {
  readonly board_id: string
  readonly sequence: number
  readonly entity_id: string
}

/** Reads the stream of all boards from a node. */
export class StreamFollower {
  readonly #abort = new AbortController()
  readonly #events: FollowedStream[] = []
  #reading: Promise<void> = Promise.resolve()

  /** Opens the stream; everything that is written from now on appears on it. */
  static async open(url: string, key: string, boards: readonly string[]): Promise<StreamFollower> {
    const follower = new StreamFollower()
    const response = await fetch(`${url}/api/v1/me/events/stream?board_id=${boards.join()}`, {
      headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
      signal: follower.#abort.signal,
    })
    follower.#reading = follower.#read(response.body!).catch(() => {})
    return follower
  }

  /** Ends once the writes have arrived; returns how many did not, and how often the sequence of a board was broken. */
  async gaps(ids: readonly string[]): Promise<number> {
    const missing = () => {
      const come = new Set(this.#events.map(({ entity_id }) => entity_id))
      return ids.filter(id => !come.has(id)).length
    }
    for (const end = performance.now() + maxMs; missing() > 0 && performance.now() < end; )
      await new Promise(resolve => setTimeout(resolve, 20))
    this.#abort.abort()
    await this.#reading
    const last = new Map<string, number>()
    let broken = 0
    for (const { board_id, sequence } of this.#events) {
      if (last.has(board_id) && sequence !== last.get(board_id)! + 1) broken++
      last.set(board_id, sequence)
    }
    return missing() + broken
  }

  async #read(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    for await (const { event, data } of messagesOf(body))
      if (event === 'board.event') this.#events.push(JSON.parse(data) as FollowedStream)
  }
}
