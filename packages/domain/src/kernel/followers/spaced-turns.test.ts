import { expect, test } from 'vitest'
import { SpacedTurns } from './spaced-turns.ts'

/** Turns at a time that a test sets, and how long each has waited. */
function turnsAt(callers: { areQuiet: boolean }, spacing = { apartMs: 10, maxMs: 25 }) {
  const clock = { now: 1_000 }
  const waits: number[] = []
  const turns = new SpacedTurns(
    callers,
    spacing,
    () => clock.now,
    async ms => waits.push(ms),
  )
  return { turns, clock, waits }
}

test('begins a piece some time after the one before while somebody calls', async () => {
  const { turns, clock, waits } = turnsAt({ areQuiet: false })
  await turns.turn()
  expect(waits).toEqual([])
  await Promise.all([turns.turn(), turns.turn()])
  expect(waits).toEqual([10, 20])
  clock.now += 26
  await turns.turn()
  expect(waits).toEqual([10, 20, 4])
  clock.now += 100
  await turns.turn()
  expect(waits).toHaveLength(3)
})

test('lets no piece wait for longer than the longest time', async () => {
  const { turns, waits } = turnsAt({ areQuiet: false })
  for (let piece = 0; piece < 6; piece++) await turns.turn()
  expect(waits).toEqual([10, 20, 25, 25, 25])
})

test('lets nothing wait while nobody calls', async () => {
  const callers = { areQuiet: false }
  const { turns, waits } = turnsAt(callers)
  await turns.turn()
  callers.areQuiet = true
  await turns.turn()
  await turns.turn()
  expect(waits).toEqual([])
})
