import type { ChildProcess } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { p50, percentile } from '../bench/percentiles.ts'
import { residentMiB } from '../bench/processes.ts'

/** What was measured of a server during one quarter of a run. */
export class Quarter {
  readonly #memory: number[] = []
  readonly #handles: number[] = []
  readonly #threads: number[] = []
  /** How long each request took, ms. */
  readonly times: number[] = []

  sample(child: ChildProcess): void {
    this.#memory.push(residentMiB(child))
    this.#handles.push(readdirSync(`/proc/${child.pid}/fd`).length)
    this.#threads.push(readdirSync(`/proc/${child.pid}/task`).length)
  }

  /** The resident memory, MiB. */
  get memory(): number {
    return p50(this.#memory)
  }

  get handles(): number {
    return p50(this.#handles)
  }

  get threads(): number {
    return p50(this.#threads)
  }

  get p50(): number {
    return p50(this.times)
  }

  get p99(): number {
    return percentile(this.times, 0.99)
  }
}
