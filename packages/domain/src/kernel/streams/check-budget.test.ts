import { expect, test } from 'vitest'
import { CheckBudget } from './check-budget.ts'

const turnOfLoop = () => new Promise(resolve => setImmediate(resolve))

/** Checks that last until the test ends them, and how many of them run. */
class Checks {
  readonly #budget: CheckBudget
  readonly #running: (() => void)[] = []
  ended = 0

  constructor(budget: CheckBudget) {
    this.#budget = budget
  }

  begin(gone = new AbortController().signal): void {
    void this.#budget
      .run(gone, () => new Promise<void>(resolve => this.#running.push(resolve)))
      .then(() => {
        this.ended++
      })
  }

  async endOne(): Promise<void> {
    this.#running.shift()!()
    await turnOfLoop()
  }

  get running(): number {
    return this.#running.length
  }
}

test('four checks run at once, the others in their order', async () => {
  const checks = new Checks(new CheckBudget(() => 0))
  for (let count = 0; count < 6; count++) checks.begin()
  await turnOfLoop()
  expect(checks.running).toBe(4)
  await checks.endOne()
  expect([checks.running, checks.ended]).toEqual([4, 1])
  for (let count = 0; count < 5; count++) await checks.endOne()
  expect([checks.running, checks.ended]).toEqual([0, 6])
})

test('checks that run at once are charged once for the time that they share', async () => {
  let now = 0
  const checks = new Checks(new CheckBudget(() => now))
  for (let count = 0; count < 4; count++) checks.begin()
  await turnOfLoop()
  now = 300
  for (let count = 0; count < 4; count++) await checks.endOne()
  checks.begin()
  await turnOfLoop()
  expect(checks.running).toBe(1)
})

test('after a burst a check waits, and one whose caller has gone does not', async () => {
  let now = 0
  const checks = new Checks(new CheckBudget(() => now))
  checks.begin()
  await turnOfLoop()
  now = 10_000
  await checks.endOne()
  const controller = new AbortController()
  checks.begin(controller.signal)
  await turnOfLoop()
  expect(checks.running).toBe(0)
  controller.abort()
  await turnOfLoop()
  expect(checks.running).toBe(1)
})

test('a check that fails makes room', async () => {
  const budget = new CheckBudget(() => 0)
  const { signal } = new AbortController()
  for (let count = 0; count < 6; count++)
    await expect(budget.run(signal, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
})
