import { vi } from 'vitest'

/** Repeats a check until it holds; the limit is there only to end a test that would wait for ever. */
export const eventually = <Value>(check: () => Value | Promise<Value>): Promise<Value> =>
  vi.waitFor(check, { timeout: 45_000, interval: 10 })
