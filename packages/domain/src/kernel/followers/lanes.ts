import { Lane, type LaneParts, type LaneWork } from './lane.ts'

/**
 * The lanes of a follower: one for each thing that it works on, by group and key. They are made when they are first
 * woken, and forgotten when they end.
 */
export class Lanes<Work extends LaneWork> {
  readonly #parts: LaneParts
  readonly #groups = new Map<string, Map<string, Lane<Work>>>()
  readonly #stopping = new AbortController()
  #isStarted = false

  constructor(parts: Omit<LaneParts, 'stop'>) {
    this.#parts = { ...parts, stop: this.stop }
  }

  /** Ends all work, because the service stops. */
  get stop(): AbortSignal {
    return this.#stopping.signal
  }

  /** Whether lanes can be opened. */
  get areOpen(): boolean {
    return this.#isStarted && !this.stop.aborted
  }

  /** Lets lanes be opened from now on. */
  start(): void {
    this.#isStarted = true
  }

  /** The lane of a key, made if there is none; undefined before the start and after the stop. */
  open(group: string, key: string, make: () => Work): Lane<Work> | undefined {
    if (!this.areOpen) return undefined
    const lanes = this.#groups.get(group) ?? new Map<string, Lane<Work>>()
    this.#groups.set(group, lanes)
    const lane = lanes.get(key) ?? new Lane(make(), this.#parts, () => this.#forget(group, key))
    lanes.set(key, lane)
    return lane
  }

  /** The lanes of a group. */
  of(group: string): Iterable<Lane<Work>> {
    return this.#groups.get(group)?.values() ?? []
  }

  /** All lanes. */
  all(): readonly Lane<Work>[] {
    return [...this.#groups.values()].flatMap(lanes => [...lanes.values()])
  }

  /** Ends all lanes; resolves once none is running. */
  async stopped(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.all().map(lane => lane.stopped()))
  }

  #forget(group: string, key: string): void {
    const lanes = this.#groups.get(group)
    lanes?.delete(key)
    if (lanes?.size === 0) this.#groups.delete(group)
  }
}
