import { readFileSync } from 'node:fs'
import { p50, percentile } from './percentiles.ts'
import type { ServerProcess } from './processes.ts'

const rounds = 60

/** The processor time that the service has taken so far, ms; the kernel counts it in ticks of 10 ms. */
export function processorMs({ child }: ServerProcess): number {
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) * 10
}

/** Prints how long the calls of `run` took, each followed by `undo`, and the processor time of both. */
export async function measure(
  what: string,
  server: ServerProcess,
  run: () => Promise<unknown>,
  { goal, undo = async () => {} }: { readonly goal?: number; readonly undo?: () => Promise<unknown> } = {},
): Promise<void> {
  const times: number[] = []
  const before = processorMs(server)
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    await run()
    times.push(performance.now() - started)
    await undo()
  }
  const processor = (processorMs(server) - before) / rounds
  console.log(
    `${what.padEnd(40)} p50 ${p50(times).toFixed(1).padStart(6)} ms  p95 ${percentile(times, 0.95).toFixed(1).padStart(6)} ms` +
      `  processor ${processor.toFixed(1).padStart(5)} ms${goal === undefined ? '' : `  goal ${goal}`}`,
  )
}
