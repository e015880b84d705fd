import type { ChangeNotice } from './change-notice.ts'
import type { Follower } from './follower.ts'

type Kind = keyof ChangeNotice

/** All followers of a service: started in order, notified, and stopped in reverse order. */
export class Followers {
  readonly #all: readonly Follower[]
  readonly #wanting = new Map<Kind, Follower[]>()
  readonly #onFault: (error: unknown) => void

  constructor(all: readonly Follower[], onFault: (error: unknown) => void) {
    this.#all = all
    this.#onFault = onFault
    for (const follower of all)
      for (const kind of Object.keys(follower.wants ?? {}) as Kind[])
        this.#wanting.set(kind, [...(this.#wanting.get(kind) ?? []), follower])
  }

  /** @param workers whether to start those that do not work in every process */
  async start(workers: boolean): Promise<void> {
    for (const follower of this.#all) if (workers || follower.isInEveryProcess) await follower.start?.()
  }

  /** Passes a notice to each follower that wants it. */
  applyNotice(notice: ChangeNotice): void {
    for (const kind of Object.keys(notice) as Kind[]) this.#tellKind(kind, notice)
  }

  #tellKind<K extends Kind>(kind: K, notice: ChangeNotice): void {
    const change = notice[kind]
    if (change === undefined || change === false || (change instanceof Set && change.size === 0)) return
    for (const { wants } of this.#wanting.get(kind) ?? []) {
      const done = wants![kind]!(change as NonNullable<ChangeNotice[K]>)
      if (done instanceof Promise) done.catch(this.#onFault)
    }
  }

  /** What is wrong with followers, as sentences without paths. */
  faults(): readonly string[] {
    return this.#all.flatMap(follower => follower.faults?.() ?? [])
  }

  /** Stops all followers, even if one of them fails to stop. */
  async stop(): Promise<void> {
    for (const follower of this.#all.toReversed()) {
      try {
        await follower.stop?.()
      } catch (error) {
        this.#onFault(error)
      }
    }
  }
}
