/**
 * Loads a whole beads backlog into a board through the typed client: epics become ideations with their specs,
 * tasks and bugs become cards with their states, labels and dependencies. Loading it again creates nothing twice.
 *
 * Usage: pnpm load [--url URL] [--key KEY] [file]; without a URL it starts its own server and loads twice.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient } from '@specboard/client'
import { type BacklogIssue, readBacklog } from './backlog.ts'
import { startProduct } from './bench/processes.ts'
import { type Counted, countLoaded, loadBacklog, type Waiting, waitingOf } from './load/load.ts'

const { values, positionals } = parseArgs({
  options: { url: { type: 'string' }, key: { type: 'string' } },
  allowPositionals: true,
})
const issues = readBacklog(positionals[0])

if (values.url !== undefined) {
  const key = values.key ?? process.env.SPECBOARD_API_KEY ?? ''
  await loadAndCheck(values.url, key)
} else {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-load-'))
  const server = await startProduct(folder)
  try {
    await loadAndCheck(server.url, server.key!)
    await loadAndCheck(server.url, server.key!)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What the board should hold according to the file, without the links that would close a cycle. */
function countOf(all: readonly BacklogIssue[], leftOut: readonly Waiting[]): Counted {
  const work = all.filter(issue => issue.issue_type !== 'epic')
  const epics = all.length - work.length
  return {
    ideations: epics,
    specs: epics,
    cards: work.length,
    dependencies: waitingOf(work).length - leftOut.length,
  }
}

/** Loads the backlog and checks the board's counts against the file. */
async function loadAndCheck(url: string, key: string): Promise<void> {
  const client = createClient({ url, key })
  const started = performance.now()
  const loaded = await loadBacklog(client, issues)
  const seconds = (performance.now() - started) / 1000
  const counted = await countLoaded(client, loaded.boardId)
  const expected = countOf(issues, loaded.leftOut)
  console.log(
    `created ${loaded.made} records and links in ${seconds.toFixed(1)} s: ${Math.round(loaded.made / seconds)} a second`,
  )
  console.log(`file:  ${JSON.stringify(expected)}`)
  console.log(`board: ${JSON.stringify(counted)}`)
  if (JSON.stringify(expected) !== JSON.stringify(counted)) {
    console.error('The board differs from the file.')
    process.exitCode = 1
  }
}
