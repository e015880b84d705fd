import { setTimeout as pause } from 'node:timers/promises'
import type { HealthWatch } from '../harness/health-watch.ts'
import type { Report } from '../harness/report.ts'
import type { Service } from '../harness/service.ts'
import { timed, times } from '../harness/statistics.ts'

/** How a call is measured. */
export interface MeasureOptions {
  readonly rounds?: number
  /** The goal for the median. */
  readonly goal?: string
  /** Called after each call, outside the measured time. */
  readonly undo?: () => Promise<unknown>
}

/** Reports the latency and processor time of sequential calls of a service. */
export async function measureCalls(
  report: Report,
  service: Service,
  name: string,
  run: () => Promise<unknown>,
  { rounds = 60, goal, undo = async () => {} }: MeasureOptions = {},
): Promise<void> {
  const took: number[] = []
  const before = service.processorMs
  for (let round = 0; round < rounds; round++) {
    took.push(await timed(run))
    await undo()
  }
  const processor = (service.processorMs - before) / rounds
  report.times(name, took, { 'processor ms': processor, ...(goal !== undefined && { goal }) })
}

/** Reports the time, processor time and memory that a service needs for a function; returns its value. */
export async function reportTaken<Value>(
  report: Report,
  name: string,
  service: Service,
  run: () => Promise<Value>,
  goal: string,
): Promise<Value> {
  const { value, ms, processorMs, before, most } = await service.taken(run)
  report.figure(name, {
    s: ms / 1_000,
    'processor s': processorMs / 1_000,
    goal,
    'memory before MiB': before,
    'at most MiB': most,
  })
  return value
}

/** The slowest of some rounds of a call, and the slowest answer of `/health` meanwhile, ms. */
export async function longestStall(run: () => Promise<unknown>, rounds: number, health: HealthWatch) {
  await health.times()
  const took = await times(rounds, run)
  // The next look at `/health` shows what the end of the last answer did.
  await pause(60)
  return { took: Math.max(...took), slowest: (await health.times()).slowest }
}
