/** A message for the streams of one agent. */
export interface OwnMessage {
  readonly event: string
  readonly data: unknown
}

/** The messages for one stream since it last took them. */
export interface Inlet {
  /** The pending messages, the newest for each key, in the order in which their keys arrived. */
  take(): readonly OwnMessage[]
  close(): void
}

/**
 * Messages for the streams of one agent only, in this process and only while they are open. A stream with a slow client
 * keeps the newest message for each key.
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

  /** Sends a message to every open stream of an agent, replacing a pending one with the same key. */
  send(agentId: string, key: string, message: OwnMessage): void {
    const inlets = this.#inlets.get(agentId)
    if (inlets === undefined) return
    for (const waiting of inlets) waiting.set(key, message)
    this.#notify(agentId)
  }

  /** Opens the inlet of one stream of an agent. */
  open(agentId: string): Inlet {
    const waiting = new Map<string, OwnMessage>()
    const inlets = this.#inlets.get(agentId) ?? new Set()
    this.#inlets.set(agentId, inlets.add(waiting))
    return {
      take: () => {
        const messages = [...waiting.values()]
        waiting.clear()
        return messages
      },
      close: () => {
        inlets.delete(waiting)
        if (inlets.size === 0 && this.#inlets.get(agentId) === inlets) this.#inlets.delete(agentId)
      },
    }
  }
}
