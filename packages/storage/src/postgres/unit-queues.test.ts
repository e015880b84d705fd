import { setImmediate as turnEnd } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { UnitQueues } from './unit-queues.ts'

/** Units that end when they are told to. */
function heldUnits(queues: UnitQueues) {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const run = (name: string | undefined, unit: string) =>
    queues.run(name, async () => {
      started.push(unit)
      await new Promise<void>(resolve => ends.set(unit, resolve))
    })
  return { started, run, end: (unit: string) => ends.get(unit)!() }
}

test('two units of a name have a connection, further ones wait in order, those of other names do not', async () => {
  const queues = new UnitQueues(10)
  const { started, run, end } = heldUnits(queues)
  const units = [
    run('hot', 'a'),
    run('hot', 'b'),
    run('hot', 'c'),
    run('hot', 'd'),
    run('cold', 'e'),
    run(undefined, 'f'),
  ]
  expect(started).toEqual(['a', 'b', 'e', 'f'])
  expect([queues.load.waiting, queues.load.longest(5)]).toEqual([2, [['hot', 2]]])
  end('b')
  await units[1]
  await turnEnd()
  expect(started.at(-1)).toBe('c')
  for (const unit of ['a', 'c']) end(unit)
  await Promise.all([units[0], units[2]])
  await turnEnd()
  for (const unit of ['d', 'e', 'f']) end(unit)
  await Promise.all(units)
  expect([queues.load.waiting, queues.load.longest(5)]).toEqual([0, []])
})

test('a unit that fails gives its place to the next', async () => {
  const queues = new UnitQueues(10)
  const failing = Array.from({ length: 4 }, () => queues.run('board', () => Promise.reject(new Error('refused'))))
  for (const outcome of await Promise.allSettled(failing)) expect(outcome.status).toBe('rejected')
  expect(await queues.run('board', async () => 'well')).toBe('well')
})

test('more than may wait are refused', async () => {
  const queues = new UnitQueues(1)
  const { run, end } = heldUnits(queues)
  const units = [run('board', 'a'), run('board', 'b'), run('board', 'c')]
  await expect(queues.run('board', async () => {})).rejects.toMatchObject({ code: 'BUSY' })
  await expect(queues.run('other', async () => 'runs')).resolves.toBe('runs')
  for (const unit of ['a', 'b']) end(unit)
  await Promise.all(units.slice(0, 2))
  await turnEnd()
  end('c')
  await units[2]
})

test('whatever comes, every unit runs once, and never more than two of a name at a time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', 'c')), async names => {
      const queues = new UnitQueues(1_000)
      const running = new Map<string, number>()
      let ran = 0
      await Promise.all(
        names.map(name =>
          queues.run(name, async () => {
            running.set(name, (running.get(name) ?? 0) + 1)
            expect(running.get(name)).toBeLessThanOrEqual(2)
            await Promise.resolve()
            running.set(name, running.get(name)! - 1)
            ran++
          }),
        ),
      )
      expect([ran, queues.load.waiting]).toEqual([names.length, 0])
    }),
  )
})
