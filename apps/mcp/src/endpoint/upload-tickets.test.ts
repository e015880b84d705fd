import { rm } from 'node:fs/promises'
import { openService, storedKey } from '@specboard/domain'
import { migratedFolder } from '@specboard/domain/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ticketLifeMs } from './ticket-token.ts'
import { UploadTickets } from './upload-tickets.ts'

const start = Date.UTC(2030, 0, 1)
const later = (ms: number) => new Date(start + ms).toISOString()

let now: number
let folder: string
let opened: Awaited<ReturnType<typeof openService>>
let tickets: UploadTickets
let agentId: string

beforeEach(async () => {
  now = start
  folder = await migratedFolder('specboard-tickets-')
  opened = await openService({ folder, version: '1', clock: () => now })
  tickets = new UploadTickets(opened.service)
  agentId = (await opened.service.authenticate(opened.ownerKey)).id
})

afterEach(async () => {
  await opened.close()
  await rm(folder, { recursive: true, force: true })
})

const issued = () =>
  tickets.issue(
    {
      agentId,
      operation: 'upload_attachment',
      params: { board_id: 'gone', card_id: 'gone' },
      query: {},
      filename: 'a',
      mimeType: null,
    },
    storedKey(opened.ownerKey!).key_hash,
  )

const refusal = (token: string) => {
  const file = { filename: 'b', mimeType: null, open: async function* () {} }
  return tickets
    .redeem(token, { readFile: async () => file, receive: (_, incoming, call) => call(incoming), seen: () => {} })
    .catch(error => error.detail)
}

/** The refusal of a valid ticket: its board does not exist. */
const usable = { error: 'NOT_FOUND', entity_type: 'board' }
const void_ = { error: 'NOT_FOUND', message: expect.stringContaining('The ticket is invalid') }

test('a ticket lasts ten minutes (mcp 10)', async () => {
  const { token, expiresAt } = await issued()
  expect(expiresAt).toBe(now + ticketLifeMs)
  now = expiresAt - 1
  expect(await refusal(token)).toMatchObject(usable)
  now = expiresAt
  expect(await refusal(token)).toStrictEqual(void_)
})

const minute = 60_000

test.each([
  ['expires', () => ({ key_expires_at: later(minute) })],
  ['is replaced and overlaps', () => ({ ...former(later(minute)), key_hash: 'new' })],
])('a ticket is valid no longer than its key: one that %s (trust 1)', async (_, fields) => {
  const { token } = await issued()
  await change(fields())
  now = start + minute - 1
  expect(await refusal(token)).toMatchObject(usable)
  now = start + minute
  expect(await refusal(token)).toStrictEqual(void_)
})

test.each([
  ['its key was replaced', { key_hash: 'new' }],
  ['its agent is disabled', { is_active: 0 }],
  ['its agent is deleted', { deleted_at: later(0), key_hash: null }],
] as const)('a ticket is refused once %s', async (_, fields) => {
  const { token } = await issued()
  await change(fields)
  expect(await refusal(token)).toStrictEqual(void_)
})

test('a ticket asked for with a replaced key ends with that key', async () => {
  await change({ ...former(later(minute)), key_hash: 'new' })
  const { token } = await issued()
  expect(await refusal(token)).toMatchObject(usable)
  now = start + minute
  expect(await refusal(token)).toStrictEqual(void_)
})

const former = (former_key_until: string) => ({
  former_key_hash: storedKey(opened.ownerKey!).key_hash,
  former_key_until,
})

/** Changes the row of the agent that the tickets belong to. */
async function change(fields: object): Promise<void> {
  await opened.service.database.write(db => db.updateTable('agents').set(fields).where('id', '=', agentId).execute())
}
