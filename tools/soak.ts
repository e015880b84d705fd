/**
 * Sends mixed requests to one server for long: four fifths reads, of every operation that can be read, a third of all
 * over MCP. What is written is on a second board, and read there too, save for what reads a whole board with its log:
 * that costs more with each write, as it must. Samples memory, handles, threads and latency, and prints them by quarter. Exits 1 when the last quarter needs
 * more than 1.1 times the memory of the first, more threads, more handles than connections, or more than 1.2 times its p99, or when a
 * request fails. The last line is a row of the table in `docs/reliability.md`.
 *
 * Usage: pnpm soak [requests, 1,000,000 unless said]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@specboard/client'
import { keepFilesPrivate } from '@specboard/storage'
import { startProduct } from './bench/processes.ts'
import { fill } from './bench-growth/fill.ts'
import { progress } from './progress.ts'
import { type Call, readsOf, readsWholeBoard, writesOf } from './soak/calls.ts'
import { Quarter } from './soak/quarter.ts'
import { makeRecords } from './soak/records.ts'
import { tableRow } from './table-row.ts'

const requests = Number(process.argv[2] ?? 1_000_000)
const clients = 16

/** Boards are exported one after the other, by a client of their own: of one key, the service takes one at a time. */
const exportEveryMs = 2_000
const connections = clients + 1

const sampleEveryMs = 250

/** So much of the requests comes before the first quarter: caches fill, code is compiled. */
const warmUpPart = 0.1

/** What the last quarter may need, compared with the first. */
const mostMemory = 1.1
const mostP99 = 1.2

/** Records of a board that is not asked for: with them reads of whole boards run in threads from the start. */
const stored = 20_000

keepFilesPrivate()
const folder = mkdtempSync(join(tmpdir(), 'specboard-soak-'))
const environment = { SPECBOARD_MCP_RATE_LIMIT: '0' }
const key = await storeMuch(folder)
const server = await startProduct(folder, environment)
const quarters = Array.from({ length: 4 }, () => new Quarter())
let failed = 0
let operations = 0
try {
  const client = createClient({ url: server.url, key })
  const soaked = { url: server.url, key, records: await makeRecords(client) }
  const written = { ...soaked, records: await makeRecords(client) }
  const whole = new Map(await readsOf(soaked))
  const narrow = [...(await readsOf(written))].filter(([name]) => !readsWholeBoard(name)).map(([, call]) => call)
  operations = whole.size
  const exportBoard = whole.get('export_board')!
  whole.delete('export_board')
  const reads = [...whole.values(), ...narrow]
  const bar = progress('soak', Math.round(requests * (1 + warmUpPart)), () => ({ failed }))
  let sent = -Math.round(requests * warmUpPart)
  const sampling = setInterval(() => quarterOf(sent)?.sample(server.child), sampleEveryMs)
  const send = async (call: Call) => {
    const number = sent++
    const began = performance.now()
    await call(Math.random() < 1 / 3 ? 'mcp' : 'http').catch(error => {
      if (failed++ < 10) console.error(error)
    })
    quarterOf(number)?.times.push(performance.now() - began)
    bar.step()
  }
  const run = async () => {
    const write = writesOf(written)
    while (sent < requests) await send(Math.random() < 0.8 ? reads[Math.floor(Math.random() * reads.length)]! : write)
  }
  const runExports = async () => {
    while (sent < requests) {
      await send(exportBoard)
      await new Promise(resolve => setTimeout(resolve, exportEveryMs))
    }
  }
  await Promise.all([...Array.from({ length: clients }, run), runExports()])
  clearInterval(sampling)
  bar.end()
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

row('quarter', 'memory MiB', 'handles', 'threads', 'p50 ms', 'p99 ms')
for (const [index, { memory, handles, threads, p50, p99 }] of quarters.entries())
  row(String(index + 1), memory, handles, threads, p50.toFixed(1), p99.toFixed(1))
const [first, last] = [quarters[0]!, quarters[3]!]
const held = {
  memory: last.memory <= mostMemory * first.memory,
  // Connections come and go with their clients.
  handles: last.handles <= first.handles + connections && last.threads <= first.threads,
  p99: last.p99 <= mostP99 * first.p99,
  answers: failed === 0,
}
const broken = Object.entries(held).flatMap(([name, isHeld]) => (isHeld ? [] : [name]))
console.log(broken.length === 0 ? 'held' : `NOT held: ${broken.join(', ')}`)
const figures = [
  `${operations} operations read, failed ${failed}`,
  `memory ${first.memory} → ${last.memory} MiB, handles ${first.handles} → ${last.handles}`,
  `p99 ${first.p99.toFixed(1)} → ${last.p99.toFixed(1)} ms, ${broken.length === 0 ? 'held' : `not held: ${broken.join(', ')}`}`,
]
console.log(tableRow(`pnpm soak ${requests}`, String(requests), figures.join('; ')))
process.exitCode = broken.length === 0 ? 0 : 1

/** The quarter of a request; none while the server warms up. */
function quarterOf(number: number): Quarter | undefined {
  return quarters[Math.min(3, Math.floor((4 * number) / requests))]
}

function row(...cells: readonly (string | number)[]): void {
  console.log(cells.map(cell => String(cell).padStart(12)).join(''))
}

/** Fills the folder's database, and returns the owner's key. */
async function storeMuch(folder: string): Promise<string> {
  const first = await startProduct(folder, environment)
  const records = await makeRecords(createClient({ url: first.url, key: first.key! }))
  await first.stop()
  await fill({ folder }, [records], stored)
  return first.key!
}
