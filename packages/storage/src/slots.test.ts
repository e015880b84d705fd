import { expect, test } from 'vitest'
import { Slots } from './slots.ts'

test('so many run at once, the others in their order; a failure gives its slot back', async () => {
  const slots = new Slots(2)
  const ran: number[] = []
  let open = 0
  const done = await Promise.allSettled(
    Array.from({ length: 7 }, (_, number) =>
      slots.run(async () => {
        ran.push(number)
        expect(++open).toBeLessThanOrEqual(2)
        await new Promise(resolve => setImmediate(resolve))
        open--
        if (number === 1) throw new Error('failed')
        return number
      }),
    ),
  )
  expect(ran).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(done.map(({ status }) => status).filter(status => status === 'rejected')).toHaveLength(1)
})

test('more than may wait are refused', async () => {
  const slots = new Slots(1, 1)
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const [running, waiting] = [slots.run(() => opened), slots.run(async () => 'had its turn')]
  await expect(slots.run(async () => {})).rejects.toMatchObject({ code: 'BUSY' })
  open()
  await running
  expect(await waiting).toBe('had its turn')
})
