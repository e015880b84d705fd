import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@specboard/client'
import { timed } from '../harness/statistics.ts'

/** What a client reports of an event. */
export type HookReport = Omit<Parameters<Client['reportHook']>[0], 'event' | 'session'>

/** Sessions of several agents whose clients report events at a fixed rate. */
export class HookCrowd {
  readonly took: number[] = []
  /** Reports that were refused. */
  refused = 0
  readonly #sessions: readonly { readonly client: Client; readonly session: string }[]
  readonly #events: readonly (readonly [event: string, reported: HookReport])[]
  readonly #gapMs: number
  #running: Promise<unknown> | undefined
  #isOver = false

  constructor(
    agents: readonly Client[],
    sessions: number,
    aSecond: number,
    events: Readonly<Record<string, HookReport>>,
  ) {
    this.#sessions = Array.from({ length: sessions }, (_, index) => ({
      client: agents[index % agents.length]!,
      session: `crowd-${index}`,
    }))
    this.#events = Object.entries(events)
    this.#gapMs = 1_000 / aSecond
  }

  /** Starts the reports of all sessions. */
  begin(): void {
    this.#isOver = false
    this.#running = Promise.all(this.#sessions.map((_, index) => this.#report(index)))
  }

  /** Ends their reports; returns the rate of events per second. */
  async end(lastedMs: number, before: number): Promise<number> {
    this.#isOver = true
    await this.#running
    return ((this.took.length + this.refused - before) * 1_000) / lastedMs
  }

  /**
   * Reports the events of a session in turns, at an even rate; after a late report, the next one follows immediately.
   */
  async #report(index: number): Promise<void> {
    const { client, session } = this.#sessions[index]!
    let due = performance.now() + (index / this.#sessions.length) * this.#gapMs
    for (let turn = index; !this.#isOver; turn++) {
      await pause(Math.max(0, due - performance.now()))
      due = Math.max(due + this.#gapMs, performance.now())
      const [event, reported] = this.#events[turn % this.#events.length]!
      try {
        this.took.push(await timed(() => client.reportHook({ event, session, ...reported })))
      } catch {
        this.refused++
      }
    }
  }
}
