/** Retries calls while a service is unreachable or overloaded (evidence 11). */
import { setTimeout as pause } from 'node:timers/promises'
import { ClientError } from '@specboard/client/calls'
import { Failure } from '../frame/failure.ts'
import { RefusalError } from '../frame/send.ts'
import type { KeyedTarget } from '../frame/target.ts'

/** The total time limit for all calls of a command, including pauses, ms. */
const withinMs = 30_000

/** The pause after each attempt but the last, unless the service says how long, ms. */
const pausesMs = [500, 2_000] as const

/** Nobody answered, or the service is too busy. */
export const isAway = (error: unknown): boolean =>
  error instanceof RefusalError || error instanceof ClientError
    ? error.status >= 500 || error.status === 429
    : error instanceof Failure && error.code === 'UNREACHABLE'

/** A target whose client aborts its calls with a signal. */
export const endingWith = (target: KeyedTarget, signal: AbortSignal): KeyedTarget => {
  const timely = { ...target, fetch: (address: URL, request: RequestInit) => fetch(address, { ...request, signal }) }
  return timely
}

/** Three attempts for each call, half a minute for all of them. */
export class Tries {
  readonly #signal = AbortSignal.timeout(withinMs)
  readonly #end = performance.now() + withinMs

  /**
   * The answer of a call at the first attempt that the service accepts.
   * @throws what the last attempt threw; Failure UNREACHABLE if time is up
   */
  async of<Value>(call: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    for (let index = 0; ; index++) {
      try {
        return await call(this.#signal)
      } catch (error) {
        if (this.#signal.aborted) throw overdue(error)
        const wait = index < pausesMs.length && isAway(error) ? waitAfter(error, index) : undefined
        if (wait === undefined || performance.now() + wait > this.#end) throw error
        await pause(wait)
      }
    }
  }
}

const waitAfter = (error: unknown, index: number): number =>
  (error instanceof RefusalError ? error.retryAfterMs : undefined) ?? pausesMs[index]!

const overdue = (error: unknown): Failure =>
  new Failure('UNREACHABLE', `The service did not take it within ${withinMs / 1_000} s. Send it again.`, {
    cause: error,
  })
