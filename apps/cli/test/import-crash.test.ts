import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@specboard/client'
import { inspectDatabase, openService } from '@specboard/domain'
import { testOnSqlite } from '@specboard/storage/on-sqlite'
import { expect } from 'vitest'
import { killed, startService } from '../../../tools/lab/harness/service.ts'

const rows = 3_000
const file = new File(
  [`id,title\n${Array.from({ length: rows }, (_, row) => `${row},Card ${row}\n`).join('')}`],
  'plan.csv',
)

testOnSqlite('killed while it writes, an import leaves nothing, and succeeds the next time (exchange 1)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-import-'))
  try {
    const server = await startService(folder)
    const importing = createClient({ url: server.url, key: server.key! })
      .importBoard({ file })
      .catch(error => error)
    // The number of rows shows that the import is writing; nobody sees them.
    await expect.poll(async () => (await inspectDatabase(folder)).rows.cards).toBeGreaterThan(0)
    await killed(server.child)
    expect(await importing).toBeInstanceOf(Error)
    expect((await inspectDatabase(folder)).rows.cards).toBeGreaterThan(0)
    const opened = await openService({ folder, version: '1' })
    await expect.poll(async () => (await inspectDatabase(folder)).rows.boards, { timeout: 30_000 }).toBe(0)
    await opened.close()
    expect((await inspectDatabase(folder)).rows).toMatchObject({ boards: 0, cards: 0, specs: 0, events: 0 })
    const again = await startService(folder)
    const { created } = await createClient({ url: again.url, key: server.key! }).importBoard({ file })
    await again.stop()
    expect(created).toEqual({ board: 1, spec: 1, card: rows })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
