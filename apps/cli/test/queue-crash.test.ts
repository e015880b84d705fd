import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@specboard/client'
import { testOnSqlite } from '@specboard/storage/on-sqlite'
import { afterEach, beforeEach, expect } from 'vitest'
import { z } from 'zod'
import { runCommand, ServerProcess } from './support/command.ts'

/** A text that the endpoint never answers: whoever asks about it is in the middle of an entry. */
const endless = 'Endless'

const Request = z.object({ input: z.array(z.string()) })

let folder: string
let endpoint: Server
/** Settles with the next request about the endless record. */
let arrival: PromiseWithResolvers<void>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-queue-'))
  arrival = Promise.withResolvers()
  endpoint = createServer(async (request, response) => {
    const { input } = Request.parse(JSON.parse(Buffer.concat(await request.toArray()).toString()))
    if (input.some(text => text.includes(endless))) return arrival.resolve()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ data: input.map((_, index) => ({ index, embedding: [1, 0] })) }))
  })
  await new Promise<void>(resolve => endpoint.listen(0, '127.0.0.1', resolve))
})

afterEach(async () => {
  endpoint.closeAllConnections()
  await new Promise(resolve => endpoint.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

/** Starts wait for attempts that failed. */
const limit = 60_000

testOnSqlite(
  'a record during whose work the process is killed twice is set aside by name, and the others go on (walls 3, rule 3)',
  async () => {
    const { port } = endpoint.address() as AddressInfo
    const start = () =>
      ServerProcess.start(folder, 'silent', {
        SPECBOARD_KG_EMBEDDING_URL: `http://127.0.0.1:${port}/`,
        SPECBOARD_KG_EMBEDDING_MODEL: 'test',
        SPECBOARD_KG_EMBEDDING_DIM: '2',
      })
    const first = await start()
    const key = first.key!
    const writer = createClient({ url: first.url, key })
    const { id: board_id } = await writer.createBoard({ name: 'Board', description: '' })
    const ideation = await writer.createIdeation({ board_id, title: endless })
    await arrival.promise
    await writer.createIdeation({ board_id, title: 'Short' })
    await first.end('SIGKILL')

    arrival = Promise.withResolvers()
    const second = await start()
    await arrival.promise
    await second.end('SIGKILL')

    const third = await start()
    const client = createClient({ url: third.url, key })
    const letters = async () => (await client.listKgDeadLetters({ board_id })).rows
    await expect.poll(letters, { timeout: limit }).toMatchObject([
      {
        artifact_type: 'ideation',
        artifact_id: ideation.id,
        attempts: 2,
        errors: [{ error_type: 'ProcessEnded' }, { error_type: 'ProcessEnded' }],
      },
    ])
    await expect.poll(async () => (await client.getKgQueueHealth({})).queue_depth, { timeout: limit }).toBe(0)
    const { nodes } = await client.listKgNodes({ board_id })
    expect(nodes.map(({ title }) => title)).toEqual(['Short'])
    await third.end()
    const { output } = await runCommand('doctor', '--data-dir', folder, '--port', '0', '--json')
    expect(JSON.parse(output).findings).toContainEqual({
      name: 'set aside',
      ok: false,
      says: expect.stringContaining(`ideation ${ideation.id} of the board ${board_id} (ProcessEnded`),
    })
  },
  limit,
)
