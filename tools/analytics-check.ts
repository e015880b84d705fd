/**
 * Recomputes the analytics of a real board from its records, which it reads one by one through the typed client, and
 * compares every answer: of the board, of each record, of every page of the lists, and of the exports. The board is an
 * imported backlog that has been worked on for a while, or one of a running server.
 *
 * Usage: node tools/analytics-check.ts [--url URL --key KEY --board ID] [file]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient } from '@specboard/client'
import { backdate } from './analytics-check/backdate.ts'
import { checkBoard } from './analytics-check/board.ts'
import { outcome } from './analytics-check/compare.ts'
import { simulateUse } from './analytics-check/simulate-use.ts'
import { startProduct } from './bench/processes.ts'
import { importBacklog } from './imported-backlog.ts'

const { values, positionals } = parseArgs({
  options: { url: { type: 'string' }, key: { type: 'string' }, board: { type: 'string' } },
  allowPositionals: true,
})

if (values.url !== undefined && values.board !== undefined) {
  const key = values.key ?? process.env.SPECBOARD_API_KEY ?? ''
  await checkBoard(createClient({ url: values.url, key }), values.board)
} else {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-analytics-'))
  try {
    const { key, boardId } = await livedBoard(folder, positionals[0])
    backdate(folder)
    const server = await startProduct(folder)
    await checkBoard(createClient({ url: server.url, key }), boardId).finally(server.stop)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
const { compared, differences } = outcome()
console.log(
  differences === 0
    ? `All ${compared} answers agree with the records.`
    : `${differences} of ${compared} answers differ from the records.`,
)
if (differences > 0) process.exitCode = 1

/** An imported board that has been worked on for a while; its server is stopped. */
async function livedBoard(folder: string, file: string | undefined): Promise<{ key: string; boardId: string }> {
  const server = await startProduct(folder)
  try {
    const key = server.key!
    const client = createClient({ url: server.url, key })
    const { boardId } = await importBacklog(client, file)
    await simulateUse(client, boardId)
    return { key, boardId }
  } finally {
    await server.stop()
  }
}
