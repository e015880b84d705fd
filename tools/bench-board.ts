/** Measures the orientation on boards: what waits for somebody on many of them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reportInbox } from './bench-board/inbox.ts'

/** Measures all of it and prints the figures. */
export async function benchBoard(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-board-'))
  try {
    await reportInbox(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
