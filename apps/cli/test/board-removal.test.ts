import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@specboard/client'
import { inspectDatabase } from '@specboard/domain'
import { testOnSqlite } from '@specboard/storage/on-sqlite'
import { expect } from 'vitest'
import { killed, startService } from '../../../tools/lab/harness/service.ts'

const file = new File(
  [`id,title\n${Array.from({ length: 1_500 }, (_, row) => `${row},Card ${row}\n`).join('')}`],
  'plan.csv',
)
/** Only ends tests that would wait for ever, ms. */
const waits = 180_000

const statusOf = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    ({ status }) => status,
  )

testOnSqlite(
  'a deleted board is gone at once, and a start goes on with removing it (access 3.2)',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'specboard-removal-'))
    try {
      const server = await startService(folder)
      const key = server.key!
      const client = createClient({ url: server.url, key })
      const { board_id: id, key: boardKey } = await client.importBoard({ file })
      const board_id = id!
      const [card] = (await client.listCards({ board_id, limit: 1 })).items
      await client.deleteBoard({ board_id })
      await killed(server.child)
      const inspection = await inspectDatabase(folder)
      expect(inspection.rows).toMatchObject({ boards: 1 })
      expect(inspection.rows.cards).toBeGreaterThan(0)
      expect(inspection).toMatchObject({ integrity: 'ok', staleIndexes: [], brokenReferences: { total: 0 } })

      const again = await startService(folder)
      const later = createClient({ url: again.url, key })
      expect((await later.listBoards({})).items).toEqual([])
      expect(await statusOf(later.getBoard({ board_id }))).toBe(404)
      expect(await statusOf(later.getCard({ card_id: card!.id }))).toBe(404)
      expect((await later.searchRecords({ q: 'card' })).items).toEqual([])
      const next = await later.createBoard({ name: 'Next', description: '', key: boardKey! })
      await expect.poll(async () => (await inspectDatabase(folder)).rows.boards, { timeout: 120_000 }).toBe(1)
      expect((await later.listBoards({})).items.map(board => board.id)).toEqual([next.id])
      await again.stop()
      expect((await inspectDatabase(folder)).rows).toMatchObject({ cards: 0, specs: 0, events: 1 })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
  waits,
)

testOnSqlite(
  'an archive of a deleted board comes back under its ids, however much of it is left (exchange 1)',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'specboard-removal-'))
    const server = await startService(folder)
    try {
      const client = createClient({ url: server.url, key: server.key! })
      const { board_id: id } = await client.importBoard({ file })
      const board_id = id!
      const archive = new File(
        [Buffer.from(await (await client.exportBoard({ board_id })).arrayBuffer())],
        'plan.specboard.zip',
      )
      await client.deleteBoard({ board_id })
      const { created } = await client.importBoard({ file: archive })
      expect(created).toMatchObject({ board: 1, card: 1_500 })
      expect((await client.listCards({ board_id, limit: 1 })).total).toBe(1_500)
    } finally {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
  waits,
)
