import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openService } from '@specboard/domain'
import { expect, test } from 'vitest'
import { ticketLifeMs } from './ticket-token.ts'
import { UploadTickets } from './upload-tickets.ts'

test('a ticket lasts ten minutes (mcp 10)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'specboard-tickets-'))
  let now = Date.UTC(2030, 0, 1)
  const { service, ownerKey, close } = await openService({ folder, version: '1', clock: () => now })
  try {
    const tickets = new UploadTickets(service)
    const { id: agentId } = await service.authenticate(ownerKey)
    const asked = { agentId, boardId: 'gone', cardId: 'gone', filename: 'a', mimeType: null }
    const { token, expiresAt } = await tickets.issue(asked)
    expect(expiresAt).toBe(now + ticketLifeMs)
    const file = { filename: 'b', mimeType: null, open: async function* () {} }
    const refusal = () =>
      tickets
        .redeem(
          token,
          async () => file,
          () => {},
        )
        .catch(error => error.detail)
    now = expiresAt - 1
    expect(await refusal()).toMatchObject({ error: 'NOT_FOUND', entity_type: 'board' })
    now = expiresAt
    expect(await refusal()).toStrictEqual({ error: 'NOT_FOUND', message: expect.stringContaining('expired') })
  } finally {
    await close()
    await rm(folder, { recursive: true, force: true })
  }
})
