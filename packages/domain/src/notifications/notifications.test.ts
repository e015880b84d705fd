import { expect, test } from 'vitest'
import type { Leases } from '../kernel/leases.ts'
import type { SecretKey } from '../kernel/secret-key.ts'
import { CheckBudget } from '../kernel/streams/check-budget.ts'
import type { Database } from '../schema/database.ts'
import { AllowedHosts } from '../workspace/webhooks/addresses.ts'
import { Notifications } from './notifications.ts'
import { personsWithChannels } from './store.ts'

const nothing = (): Promise<never> => Promise.reject(new Error('Nobody has a channel here.'))

test('after a start, few people are opened at once, and everybody is', async () => {
  const persons = Array.from({ length: 500 }, (_, number) => `person ${number}`)
  const faults: unknown[] = []
  let reading = 0
  let max = 0
  let opened = 0
  const all = Promise.withResolvers<void>()
  const read = async (run: unknown) => {
    if (run === personsWithChannels) return persons
    max = Math.max(max, ++reading)
    await new Promise(setImmediate)
    reading--
    if (++opened === persons.length) all.resolve()
    return []
  }
  const notifications = new Notifications({
    // No other member of either is used in this test.
    database: { read: read as Database['read'] } as Pick<Database, 'read'> as Database,
    leases: { release: async () => {} } as Pick<Leases, 'release'> as Leases,
    clock: Date.now,
    newId: () => '',
    secretKey: {} as SecretKey,
    publicUrl: undefined,
    version: 'test',
    settings: {},
    allowed: new AllowedHosts([]),
    looks: new CheckBudget(),
    readAs: nothing,
    writeAs: nothing,
    vapidSecret: nothing,
    onChange: () => {},
    onFault: error => faults.push(error),
  })
  await notifications.start()
  await all.promise
  await notifications.stop()
  expect(max).toBeLessThanOrEqual(4)
  expect(faults).toEqual([])
})
