import type { Service } from '../harness/service.ts'
import { p50, percentile } from '../harness/statistics.ts'

/** What was measured of a server during one quarter of a run. */
export class Quarter {
  readonly #samples: { readonly memory: number; readonly handles: number; readonly threads: number }[] = []
  /** How long each request took, ms. */
  readonly times: number[] = []

  sample({ residentMiB, handles, threads }: Service): void {
    this.#samples.push({ memory: residentMiB, handles, threads })
  }

  /** The medians of the samples, memory in MiB, and of the requests, ms. */
  get figures() {
    const median = (figure: 'memory' | 'handles' | 'threads') => p50(this.#samples.map(sample => sample[figure]))
    return {
      ...{ memory: median('memory'), handles: median('handles'), threads: median('threads') },
      ...{ p50: p50(this.times), p99: percentile(this.times, 0.99) },
    }
  }
}
