import { readFileSync } from 'node:fs'
import { residentMiB, type ServerProcess } from '../bench/processes.ts'

/** How often the memory of a server is looked at, ms. */
const lookMs = 50

/** What something took that a server did. */
export interface Measured<Value> {
  readonly value: Value
  readonly ms: number
  /** Processor time of the server in all of its threads, ms: other work on the machine changes it little. */
  readonly cpuMs: number
  /** Its memory before, and the most of it meanwhile, MiB. */
  readonly before: number
  readonly most: number
}

/** Does something with a server, and measures both. */
export async function measured<Value>({ child }: ServerProcess, run: () => Promise<Value>): Promise<Measured<Value>> {
  const before = residentMiB(child)
  let most = before
  const looking = setInterval(() => {
    most = Math.max(most, residentMiB(child))
  }, lookMs)
  const cpu = cpuMs(child.pid!)
  const started = performance.now()
  try {
    const value = await run()
    return { value, ms: performance.now() - started, cpuMs: cpuMs(child.pid!) - cpu, before, most }
  } finally {
    clearInterval(looking)
  }
}

/** The kernel counts processor time in hundredths of a second. */
const tickMs = 10

function cpuMs(pid: number): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user = 0, system = 0] = rest.split(' ').slice(11, 13).map(Number)
  return (user + system) * tickMs
}

/** A line of the report. */
export const line = (what: string, { ms, cpuMs, before, most }: Measured<unknown>, goal: string): string =>
  `${what}: ${(ms / 1_000).toFixed(1)} s (${(cpuMs / 1_000).toFixed(1)} s of processor; goal ${goal}), memory ${before} → ${most} MiB at most`
