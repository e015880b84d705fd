import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type OpenedService, openService } from '../../open.ts'
import { migratedFolder } from '../../schema/empty-database.testing.ts'
import { StoredSecret } from './stored-secret.ts'
import { StoredSessions } from './stored-sessions.ts'
import { UsedTickets } from './used-tickets.ts'

const begin = Date.UTC(2030, 0, 1)
let now: number
let folder: string
let opened: OpenedService

const open = async () => {
  opened = await openService({ folder, version: '1', clock: () => now })
}

beforeEach(async () => {
  now = begin
  folder = await migratedFolder('specboard-tokens-')
  await open()
})

afterEach(async () => {
  await opened.close()
  await rm(folder, { recursive: true, force: true })
})

const reopen = async () => {
  await opened.close()
  await open()
}

test('a secret is generated once and survives a restart', async () => {
  const secret = await new StoredSecret(opened.service, 'a').read()
  expect(secret).toHaveLength(32)
  expect(await new StoredSecret(opened.service, 'b').read()).not.toEqual(secret)
  await reopen()
  expect(await new StoredSecret(opened.service, 'a').read()).toEqual(secret)
})

test('a session is stored when it subscribes or is ended; its row is deleted when it expires', async () => {
  const { id: agentId } = await opened.service.authenticate(opened.ownerKey)
  const sessions = new StoredSessions(opened.service)
  const session = { hash: 'h', agentId, expiresAt: new Date(begin + 1_000).toISOString() }
  expect(await sessions.isTerminated('h')).toBe(false)
  await sessions.subscribe(session, 'uri:a')
  await sessions.subscribe(session, 'uri:a')
  await sessions.subscribe(session, 'uri:b')
  await sessions.unsubscribe(session, 'uri:b')
  expect(await sessions.subscriptions(session)).toEqual(new Set(['uri:a']))
  await sessions.terminate(session)
  expect([await sessions.isTerminated('h'), await sessions.subscriptions(session)]).toEqual([true, new Set()])
  now = begin + 2_000
  await sessions.subscribe({ ...session, hash: 'later', expiresAt: new Date(now + 1_000).toISOString() }, 'uri:a')
  expect(await sessions.isTerminated('h')).toBe(false)
})

test('a ticket can be used once until it is released; one of two concurrent uses fails', async () => {
  const tickets = new UsedTickets(opened.service)
  const uses = await Promise.all([tickets.use('t', begin + 1_000), tickets.use('t', begin + 1_000)])
  expect(uses.toSorted()).toEqual([false, true])
  await tickets.release('t')
  expect(await tickets.use('t', begin + 1_000)).toBe(true)
})
