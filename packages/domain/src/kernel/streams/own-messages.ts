/** A message for the streams of one agent. */
export interface OwnMessage {
  readonly event: string
  readonly data: unknown
}

/** What has come for one stream since it last took its messages. */
export interface Inlet {
  /** The messages that came, each the newest under its key, in the order in which their keys came. */
  take(): readonly OwnMessage[]
  close(): void
}

/**
 * Messages that only the streams of one agent get, in this process and only while they are open. A stream whose client
 * is slow keeps the newest message under each key.
 *
 * @example
 * environment.streams.own.send(ctx.caller.id, importId, { event: 'import', data: { import_id: importId, done, total } })
 */
export class OwnMessages {
  readonly #inlets = new Map<string, Set<Map<string, OwnMessage>>>()
  readonly #notify: (agentId: string) => void

  /** @param notify wakes the streams of an agent */
  constructor(notify: (agentId: string) => void) {
    this.#notify = notify
  }

  /** Sends a message to every open stream of an agent, in place of one under the same key that waits there. */
  send(agentId: string, key: string, message: OwnMessage): void {
    const inlets = this.#inlets.get(agentId)
    if (inlets === undefined) return
    for (const waiting of inlets) waiting.set(key, message)
    this.#notify(agentId)
  }

  /** Opens the way to one stream of an agent. */
  open(agentId: string): Inlet {
    const waiting = new Map<string, OwnMessage>()
    const inlets = this.#inlets.get(agentId) ?? new Set()
    this.#inlets.set(agentId, inlets.add(waiting))
    return {
      take: () => {
        const taken = [...waiting.values()]
        waiting.clear()
        return taken
      },
      close: () => {
        inlets.delete(waiting)
        if (inlets.size === 0 && this.#inlets.get(agentId) === inlets) this.#inlets.delete(agentId)
      },
    }
  }
}
