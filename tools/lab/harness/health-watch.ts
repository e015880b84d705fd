/** Calls `/health` in its own thread, so that the work of this process for an attack does not affect the times. */
import { parentPort, Worker, workerData } from 'node:worker_threads'

/** How long the service took to answer `/health`, ms. */
export interface HealthTimes {
  readonly count: number
  readonly p50: number
  readonly slowest: number
}

const everyMs = 20

if (parentPort !== null) await watch(parentPort, workerData as string)

async function watch(parent: NonNullable<typeof parentPort>, url: string): Promise<void> {
  let times: number[] = []
  parent.on('message', () => {
    const sorted = times.toSorted((a, b) => a - b)
    parent.postMessage({
      count: sorted.length,
      p50: sorted[Math.floor(sorted.length / 2)] ?? 0,
      slowest: sorted.at(-1) ?? 0,
    } satisfies HealthTimes)
    times = []
  })
  for (;;) {
    const started = performance.now()
    try {
      await (await fetch(`${url}/health`)).text()
      times.push(performance.now() - started)
    } catch {
      times.push(Number.POSITIVE_INFINITY)
    }
    await new Promise(resolve => setTimeout(resolve, everyMs))
  }
}

/** Watches the health of a service until it is stopped. */
export class HealthWatch {
  readonly #worker: Worker

  constructor(url: string) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: url })
  }

  /** The times since the last call. */
  times(): Promise<HealthTimes> {
    return new Promise(resolve => {
      this.#worker.once('message', resolve)
      this.#worker.postMessage('times')
    })
  }

  async stop(): Promise<void> {
    await this.#worker.terminate()
  }
}
