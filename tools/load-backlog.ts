/**
 * Loads a backlog into a board with `specboard import`, whatever format it has; loading it again changes nothing. Exits 1
 * when the second load made or changed a record.
 *
 * Usage: pnpm load [file or folder]; starts a server of its own unless SPECBOARD_URL and SPECBOARD_API_KEY name one.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sampleBacklog } from './backlog.ts'
import { startProduct } from './bench/processes.ts'

const main = fileURLToPath(new URL('../apps/cli/src/main.js', import.meta.url))

const path = process.argv[2] ?? sampleBacklog
const { SPECBOARD_URL: url, SPECBOARD_API_KEY: key } = process.env

if (url !== undefined && key !== undefined) {
  process.exitCode = loadTwice(url, key)
} else {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-load-'))
  const server = await startProduct(folder)
  try {
    process.exitCode = loadTwice(server.url, server.key!)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A report of an import, as far as it matters here. */
interface Report {
  readonly board_id: string
  readonly read: Readonly<Record<string, number>>
  readonly created: Readonly<Record<string, number>>
  readonly updated: Readonly<Record<string, number>>
  readonly problems_total: number
  readonly duration_ms: number
}

function loadTwice(url: string, key: string): number {
  const env = { ...process.env, SPECBOARD_URL: url, SPECBOARD_API_KEY: key }
  const load = (...flags: readonly string[]): Report => {
    const loaded = spawnSync(process.execPath, [main, 'import', path, '--json', ...flags], { env, encoding: 'utf8' })
    if (loaded.status !== 0) throw new Error(loaded.stderr || loaded.stdout)
    const report: Report = JSON.parse(loaded.stdout)
    const { read, created, updated, problems_total, duration_ms } = report
    console.log(
      `read ${sum(read)}, created ${sum(created)}, updated ${sum(updated)}, ${problems_total} problems, ${(duration_ms / 1_000).toFixed(1)} s`,
    )
    return report
  }
  const again = load('--board', load().board_id)
  if (sum(again.created) + sum(again.updated) === 0) return 0
  console.error('The second load changed the board.')
  return 1
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}
