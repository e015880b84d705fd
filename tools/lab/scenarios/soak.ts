/**
 * Sends mixed requests to one server for a long time: four fifths are reads, of every operation, and a third go over
 * MCP. Writes go to a second board and are read there too, except by reads of a whole board with its log, which
 * necessarily cost more with each write. Samples memory, handles, threads and latency, and prints them by quarter.
 * Fails when the last quarter needs more than 1.1 times the memory of the first, more threads, more handles than
 * connections, or more than 1.2 times its p99, or when a request fails.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { makeEveryKind } from '../data/every-kind.ts'
import { fill } from '../data/fill.ts'
import { progress } from '../harness/progress.ts'
import { scenario } from '../harness/scenario.ts'
import { type Call, readsOf, readsWholeBoard, writesOf } from '../load/calls.ts'
import { Quarter } from '../load/quarter.ts'

const clients = 16

/** Boards are exported one after the other by a separate client: the service accepts one export per key at a time. */
const exportEveryMs = 2_000
const connections = clients + 1

const sampleEveryMs = 250

/** The share of requests before the first quarter, for warming up: caches fill, code is compiled. */
const warmUpPart = 0.1

/** The limits of the last quarter, relative to the first. */
const maxMemoryRatio = 1.1
const maxP99Ratio = 1.2

const environment = { SPECBOARD_MCP_RATE_LIMIT: '0' }

export default scenario({
  summary: 'a million mixed requests: memory, handles and latency do not grow',
  // The stored records belong to a board that is not read; they make reads of whole boards run in threads from the
  // start.
  options: { requests: 1_000_000, stored: 20_000 },
  word: 'requests',
  short: { requests: 4_000, stored: 1_000 },
  run: async (lab, { requests, stored }) => {
    await fill(lab.place(), [await lab.with('data', ({ client }) => makeEveryKind(client), environment)], stored)
    const server = await lab.start('data', environment)
    const quarters = Array.from({ length: 4 }, () => new Quarter())
    let failed = 0
    const readTarget = { url: server.url, key: server.key!, records: await makeEveryKind(server.client) }
    const writeTarget = { ...readTarget, records: await makeEveryKind(server.client) }
    const whole = new Map(await readsOf(readTarget))
    const narrow = [...(await readsOf(writeTarget))].filter(([name]) => !readsWholeBoard(name)).map(([, call]) => call)
    const operations = whole.size
    const exportBoard = whole.get('export_board')!
    whole.delete('export_board')
    const reads = [...whole.values(), ...narrow]
    const bar = progress('soak', Math.round(requests * (1 + warmUpPart)), () => ({ failed }))
    let sentCount = -Math.round(requests * warmUpPart)
    // Undefined while the server warms up.
    const quarterOf = (number: number) => quarters[Math.min(3, Math.floor((4 * number) / requests))]
    const sampling = setInterval(() => quarterOf(sentCount)?.sample(server), sampleEveryMs)
    const send = async (call: Call) => {
      const number = sentCount++
      const began = performance.now()
      await call(Math.random() < 1 / 3 ? 'mcp' : 'http').catch(error => {
        if (failed++ < 10) console.error(error)
      })
      quarterOf(number)?.times.push(performance.now() - began)
      bar.step()
    }
    const run = async () => {
      const write = writesOf(writeTarget)
      while (sentCount < requests)
        await send(Math.random() < 0.8 ? reads[Math.floor(Math.random() * reads.length)]! : write)
    }
    const runExports = async () => {
      for (; sentCount < requests; await pause(exportEveryMs)) await send(exportBoard)
    }
    await Promise.all([...Array.from({ length: clients }, run), runExports()])
    clearInterval(sampling)
    bar.end()
    const row = lab.report.table('quarter', 'memory MiB', 'handles', 'threads', 'p50 ms', 'p99 ms')
    const figures = quarters.map(quarter => quarter.figures)
    for (const [index, { memory, handles, threads, p50, p99 }] of figures.entries())
      row(String(index + 1), memory, handles, threads, p50, p99)
    const [first, last] = [figures[0]!, figures[3]!]
    lab.report.expect(last.memory <= maxMemoryRatio * first.memory, 'memory')
    // Connections come and go with their clients.
    lab.report.expect(last.handles <= first.handles + connections && last.threads <= first.threads, 'handles')
    lab.report.expect(last.p99 <= maxP99Ratio * first.p99, 'p99')
    lab.report.expect(failed === 0, 'answers')
    const { broken } = lab.report
    lab.report.run('pnpm soak', requests, [
      `${operations} operations read, failed ${failed}`,
      `memory ${first.memory} → ${last.memory} MiB, handles ${first.handles} → ${last.handles}`,
      `p99 ${first.p99.toFixed(1)} → ${last.p99.toFixed(1)} ms, ${broken.length === 0 ? 'held' : `not held: ${broken.join(', ')}`}`,
    ])
  },
})
