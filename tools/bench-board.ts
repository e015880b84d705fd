/**
 * Measures the orientation on boards: what may be done with a card and with a spec, and everything that blocks it; what
 * waits for somebody on many boards; searches among all records.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@specboard/client'
import { startProduct } from './bench/processes.ts'
import { reportInbox } from './bench-board/inbox.ts'
import { reportMoves } from './bench-board/moves.ts'
import { reportSearch } from './bench-board/search.ts'

/** Measures all of it and prints the figures. */
export async function benchBoard(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-board-'))
  try {
    const server = await startProduct(join(folder, 'moves'))
    try {
      await reportMoves(server, createClient({ url: server.url, key: server.key! }))
    } finally {
      await server.stop()
    }
    await reportInbox(join(folder, 'inbox'))
    await reportSearch(join(folder, 'search'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
