/** Nodes of this version on one PostgreSQL while a node of a later version migrates it and serves beside them. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@specboard/client'
import { onServer, type TestServer, testServer, whyNoServer } from '@specboard/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { type NodeProcess, startNode } from './support/node-process.ts'

const missing = whyNoServer()

/** Ends a test that would wait for ever, ms: each node is a process, which takes long on a machine busy with other work. */
const limit = 240_000

/** The number of rounds of calls that each caller makes after the migration, on connections opened before it. */
const roundsAfter = 3

describe.skipIf(missing !== undefined)(
  `a rolling update${missing === undefined ? '' : `: ${missing}`}`,
  { timeout: limit },
  () => {
    let server: TestServer
    let folder: string
    let settings: Parameters<typeof startNode>[0]
    let older: NodeProcess[]
    let newer: NodeProcess | undefined
    let key: string

    beforeAll(async () => {
      server = await testServer()
      folder = mkdtempSync(join(tmpdir(), 'specboard-rolling-'))
      const secretKeyFile = join(folder, 'secret')
      writeFileSync(secretKeyFile, randomBytes(32))
      settings = { databaseUrl: await server.database(), secretKeyFile }
      const first = await startNode(settings)
      older = [first, await startNode(settings)]
      key = first.ownerKey!
    }, limit)

    afterAll(async () => {
      for (const node of [...(older ?? []), ...(newer === undefined ? [] : [newer])]) await node.stop()
      await server?.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    const through = ({ url }: NodeProcess): Client => createClient({ url, key })

    /** What a caller does in turn on a board of its own: reads and writes of most tables, some of them in threads. */
    async function round(client: Client, { board_id, spec_id }: Work, ids: string[]): Promise<void> {
      const { id } = await client.createCard({ board_id, spec_id, title: `Card ${ids.length}`, labels: ['a'] })
      ids.push(id)
      await client.updateCard({ card_id: id, description: 'Written meanwhile.' })
      await client.createComment({ card_id: id, content: 'A comment' })
      await client.askCardQuestion({ card_id: id, question: 'Why?' })
      await client.claimCard({ card_id: id })
      await client.moveCard({ card_id: id, target_status: 'started' })
      const { id: ideation_id } = await client.createIdeation({ board_id, title: 'An idea' })
      await client.moveIdeation({ ideation_id, status: 'review' })
      await client.getCard({ card_id: id })
      await client.getSpec({ spec_id })
      await client.listCards({ board_id })
      await client.listReadyCards({ board_id })
      await client.searchRecords({ q: 'card' })
      await client.listMyInbox({})
      await client.getBoardOverview({ board_id })
      await client.getBoardColumns({ board_id })
      await (await client.exportBoard({ board_id })).arrayBuffer()
    }

    interface Work {
      readonly board_id: string
      readonly spec_id: string
    }

    async function work(client: Client): Promise<Work> {
      const { id: board_id } = await client.createBoard({ name: 'Rolling', description: '' })
      return {
        board_id,
        spec_id: (await client.createSpec({ board_id, status: 'in_progress', title: 'Spec' })).id,
      }
    }

    const isMigrated = async () =>
      (await onServer(settings.databaseUrl!, "select 1 from kysely_migration where name = '9999_later'")).length === 1

    test('is noticed by no caller: nodes of both versions answer every read and write', async () => {
      const clients = [...older, ...older].map(through)
      const works = await Promise.all(clients.map(work))
      const [client, { board_id, spec_id }] = [clients[0]!, works[0]!]
      const before = { board: await client.getBoard({ board_id }), spec: await client.getSpec({ spec_id }) }
      const lists = clients.map((): string[] => [])
      const calling = clients.map(async (caller, index) => {
        for (let remaining = roundsAfter; remaining > 0; ) {
          const wasMigrated = newer !== undefined
          await round(caller, works[index]!, lists[index]!)
          if (wasMigrated) remaining--
        }
      })
      await eventually(() => expect(lists.every(ids => ids.length > 0)).toBe(true))
      const starting = startNode(settings, 'later').then(node => {
        newer = node
      })
      await Promise.all([starting, ...calling])
      expect(await isMigrated()).toBe(true)
      const later = through(newer!)
      for (const [index, own] of works.entries()) await round(later, own, lists[index]!)
      for (const [index, own] of works.entries())
        for (const node of [...older, newer!]) {
          const { items } = await through(node).listCards({ ...own, limit: 200 })
          expect(new Set(items.map(({ id }) => id))).toEqual(new Set(lists[index]))
        }
      const after = { board: await client.getBoard({ board_id }), spec: await client.getSpec({ spec_id }) }
      expect(Object.keys(after.spec)).toEqual(Object.keys(before.spec))
      expect(Object.keys(after.board)).toEqual(Object.keys(before.board))
    })

    test('goes one way: a node of this version that has ended does not start again', async () => {
      await expect(startNode(settings)).rejects.toThrow(/newer specboard \(9999_later\)/)
    })
  },
)
