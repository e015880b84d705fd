import type { Session, SessionNotice, StoredSessions } from '@specboard/domain'
import type { EventStream } from './event-stream.ts'

/** An open stream of a session. */
interface SessionStream {
  readonly stream: EventStream
  /** The resources that it subscribes to. */
  readonly uris: Set<string>
  /** Its position among the streams of all nodes; undefined until the database has assigned it. */
  turn: string | undefined
  /** The latest turn of a stream on another node. */
  latestElsewhere: string
}

/** The streams of sessions: one for each, the newest, on whichever node it was opened (mcp 3.5). */
export class SessionStreams {
  readonly #stored: StoredSessions
  readonly #isShared: boolean
  readonly #onFault: (error: unknown) => void
  readonly #streams = new Map<string, SessionStream>()
  readonly #unlisten: () => void

  /** @param isShared whether other nodes may have streams of the same sessions */
  constructor(stored: StoredSessions, isShared: boolean, onFault: (error: unknown) => void) {
    this.#stored = stored
    this.#isShared = isShared
    this.#onFault = onFault
    this.#unlisten = stored.onElsewhere(notice => this.#onNotice(notice))
  }

  /** The resources that the stream of a session subscribes to; undefined if it has none here. */
  urisOf(hash: string): Set<string> | undefined {
    return this.#streams.get(hash)?.uris
  }

  /** Adds the newest stream of a session, and closes the one before it. */
  async add(session: Session, stream: EventStream, uris: Set<string>): Promise<void> {
    this.end(session.hash)
    const added: SessionStream = { stream, uris, turn: undefined, latestElsewhere: '' }
    this.#streams.set(session.hash, added)
    if (!this.#isShared) return
    added.turn = await this.#stored.takeTurn(session)
    if (added.turn === undefined) stream.close()
    else closeIfOlder(added)
  }

  /** Removes a stream that has ended. */
  remove(hash: string, stream: EventStream): void {
    if (this.#streams.get(hash)?.stream === stream) this.#streams.delete(hash)
  }

  /** Closes the stream of a session, if it has one here. */
  end(hash: string): void {
    this.#streams.get(hash)?.stream.close()
  }

  /** Stops listening to other nodes. */
  close(): void {
    this.#unlisten()
  }

  #onNotice(notice: SessionNotice): void {
    if (notice === 'anything') this.#lookAgain().catch(this.#onFault)
    else if (notice.turn === undefined) this.end(notice.hash)
    else this.#openedElsewhere(notice.hash, notice.turn)
  }

  #openedElsewhere(hash: string, turn: string): void {
    const open = this.#streams.get(hash)
    if (open === undefined) return
    if (turn > open.latestElsewhere) open.latestElsewhere = turn
    closeIfOlder(open)
  }

  /** Catches up after announcements of other nodes were missed, and perhaps this node's own were too. */
  async #lookAgain(): Promise<void> {
    for (const [hash, { stream, turn }] of [...this.#streams]) {
      if (await this.#stored.isTerminated(hash)) stream.close()
      else if (turn !== undefined) this.#stored.tellTurn(hash, turn)
    }
  }
}

function closeIfOlder({ stream, turn, latestElsewhere }: SessionStream): void {
  if (turn !== undefined && turn < latestElsewhere) stream.close()
}
