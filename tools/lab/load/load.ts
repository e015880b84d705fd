import type { Service } from '../harness/service.ts'
import { p50 } from '../harness/statistics.ts'
import { measureWithAutocannon } from './autocannon.ts'
import type { Load, LoadResult } from './request.ts'
import { hasWrk, measureWithWrk } from './wrk.ts'

/** The tool that sends the load: `wrk` if it is installed, because it uses far less CPU than the servers it measures. */
export const loadTool: 'wrk' | 'autocannon' = hasWrk() ? 'wrk' : 'autocannon'

/** Sends load to a server over 16 connections for a whole number of seconds. */
export function measure(load: Load, seconds: number, connections = 16): Promise<LoadResult> {
  return loadTool === 'wrk'
    ? measureWithWrk(load, seconds, connections)
    : measureWithAutocannon(load, seconds, connections)
}

/** The engine's compiler needs this long until a path runs at full speed. */
const warmUpSeconds = 4

/** Two servers under the same load. */
export interface Comparison {
  /** The round with the median rate of each. */
  readonly ours: LoadResult
  readonly bare: LoadResult
  /** Our rate as a multiple of the bare server's: the median of the rounds. */
  readonly ratio: number
  /** The processor time of a request, if the servers were given. */
  readonly processor?: ComparedTimes
}

/** The processor time that a request took on each server: other work on the machine changes it little. */
export interface ComparedTimes {
  /** Medians of the rounds, µs. */
  readonly oursUs: number
  readonly bareUs: number
  /** The bare server's as a multiple of ours: the median of the rounds. */
  readonly ratio: number
}

/** Sends load, and returns the server's processor time per request, µs. */
async function measureWithTime(load: Load, seconds: number, server: Service | undefined) {
  const before = server?.processorMs ?? 0
  const measured = await measure(load, seconds)
  const took = (server?.processorMs ?? 0) - before
  return { measured, us: (took * 1_000) / Math.max(1, measured.rate * seconds) }
}

/**
 * Measures two servers in turn, several times: a machine's speed may change between rounds, but less within one.
 * @param servers whose processor time is also measured
 */
export async function compare(
  ours: Load,
  bare: Load,
  seconds: number,
  rounds: number,
  servers?: { readonly ours: Service; readonly bare: Service },
): Promise<Comparison> {
  const measured: Comparison[] = []
  const times: ComparedTimes[] = []
  await measure(ours, warmUpSeconds)
  await measure(bare, warmUpSeconds)
  for (let round = 0; round < rounds; round++) {
    const timed = {
      ours: await measureWithTime(ours, seconds, servers?.ours),
      bare: await measureWithTime(bare, seconds, servers?.bare),
    }
    const [oursUs, bareUs] = [timed.ours.us, timed.bare.us]
    times.push({ oursUs, bareUs, ratio: bareUs / Math.max(0.001, oursUs) })
    const pair = { ours: timed.ours.measured, bare: timed.bare.measured }
    measured.push({ ...pair, ratio: pair.ours.rate / pair.bare.rate })
  }
  const medianBy = (value: (pair: Comparison) => number) =>
    measured.toSorted((a, b) => value(a) - value(b))[Math.floor(rounds / 2)]!
  const medianOf = (name: keyof ComparedTimes) => p50(times.map(time => time[name]))
  return {
    ours: medianBy(pair => pair.ours.rate).ours,
    bare: medianBy(pair => pair.bare.rate).bare,
    ratio: medianBy(pair => pair.ratio).ratio,
    ...(servers !== undefined && {
      processor: { oursUs: medianOf('oursUs'), bareUs: medianOf('bareUs'), ratio: medianOf('ratio') },
    }),
  }
}
