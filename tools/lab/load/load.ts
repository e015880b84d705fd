import { measureWithAutocannon } from './autocannon.ts'
import type { Load, Measured } from './request.ts'
import { hasWrk, measureWithWrk } from './wrk.ts'

/** The tool that sends the load: `wrk` if it is installed, because it uses far less CPU than the servers it measures. */
export const loadTool: 'wrk' | 'autocannon' = hasWrk() ? 'wrk' : 'autocannon'

/** Sends load to a server over 16 connections for a whole number of seconds. */
export function measure(load: Load, seconds: number, connections = 16): Promise<Measured> {
  return loadTool === 'wrk'
    ? measureWithWrk(load, seconds, connections)
    : measureWithAutocannon(load, seconds, connections)
}

/** The engine's compiler needs this long until a path runs at full speed. */
const warmUpSeconds = 4

/** Two servers under the same load. */
export interface Compared {
  /** The round with the median rate of each. */
  readonly ours: Measured
  readonly bare: Measured
  /** Our rate as a multiple of the bare server's: the median of the rounds. */
  readonly ratio: number
}

/** Measures two servers in turn, several times: a machine's speed may change between rounds, but less within one. */
export async function compare(ours: Load, bare: Load, seconds: number, rounds: number): Promise<Compared> {
  const measured: Compared[] = []
  await measure(ours, warmUpSeconds)
  await measure(bare, warmUpSeconds)
  for (let round = 0; round < rounds; round++) {
    const pair = { ours: await measure(ours, seconds), bare: await measure(bare, seconds) }
    measured.push({ ...pair, ratio: pair.ours.rate / pair.bare.rate })
  }
  const medianBy = (value: (pair: Compared) => number) =>
    measured.toSorted((a, b) => value(a) - value(b))[Math.floor(rounds / 2)]!
  return {
    ours: medianBy(pair => pair.ours.rate).ours,
    bare: medianBy(pair => pair.bare.rate).bare,
    ratio: medianBy(pair => pair.ratio).ratio,
  }
}
