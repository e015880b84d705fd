import type { HealthWatch } from '../harness/health-watch.ts'
import type { Service } from '../harness/service.ts'
import type { Collector } from './collector.ts'

/** What a part of an attack cost the service. */
export interface Cost {
  /** Processor time of all of the service's threads, without the time for `/health` and the time used at rest, ms. */
  readonly processorMs: number
  readonly healthP50Ms: number
  readonly slowestHealthMs: number
}

/** How long the service is watched at rest, ms. */
const restMs = 2_000

/** Measures the resources that a service uses, while its `/health` is watched. */
export class Figures {
  readonly #server: Service
  readonly #watch: HealthWatch
  /** Processor time per millisecond at rest. */
  #atRest = 0

  constructor(server: Service, watch: HealthWatch) {
    this.#server = server
    this.#watch = watch
  }

  /** Measures what the service uses at rest, including the watch. */
  async rest(): Promise<void> {
    await this.#watch.times()
    const before = this.#server.processorMs
    await new Promise(resolve => setTimeout(resolve, restMs))
    this.#atRest = (this.#server.processorMs - before) / restMs
  }

  /** Runs something and measures what it cost. */
  async of<Result>(run: () => Promise<Result>): Promise<readonly [Result, Cost]> {
    await this.#watch.times()
    const started = performance.now()
    const before = this.#server.processorMs
    const result = await run()
    const usedMs = this.#server.processorMs - before
    const atRest = this.#atRest * (performance.now() - started)
    const { p50, slowest } = await this.#watch.times()
    return [result, { processorMs: Math.max(0, usedMs - atRest), healthP50Ms: p50, slowestHealthMs: slowest }]
  }

  /** The memory that the server keeps, once it stops falling, MiB; measured every second, ten times at most. */
  async settledMiB(collector: Collector): Promise<number> {
    await collector.collect()
    let min = this.#server.residentMiB
    for (let still = 0, samples = 0; still < 3 && samples < 10; samples++) {
      await new Promise(resolve => setTimeout(resolve, 1_000))
      const now = this.#server.residentMiB
      still = now < min ? 0 : still + 1
      min = Math.min(min, now)
    }
    return min
  }
}
