import { setTimeout as pause } from 'node:timers/promises'

/** Only ends a test that would wait for ever, ms. */
const waitsAtMost = 45_000

/**
 * Repeats a check until it holds. Does not use the test runner, because tools create records with the same code as
 * tests.
 */
export async function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  const end = Date.now() + waitsAtMost
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > end) throw error
    }
    await pause(10)
  }
}
