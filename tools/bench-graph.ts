/**
 * Measures the knowledge graph: calls while a backfill runs, memory with many streams open, and search among
 * 100,000 nodes.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reportBackfill } from './bench-graph/backfill.ts'
import { reportSearch } from './bench-graph/search.ts'
import { seedBoard } from './bench-graph/seed.ts'
import { reportStreams } from './bench-graph/streams.ts'

/** Measures all three and prints their figures. */
export async function benchGraph(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-graph-'))
  try {
    const board = await seedBoard(join(folder, 'board'), 450)
    await reportStreams(board)
    await reportBackfill(board)
    await reportSearch(join(folder, 'search'), 100_000)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
