/** The process behind `QueryProcesses`: runs queries on its own read-only connection. */
import { constants, setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { sqlFunctions } from '@specboard/cypher'
import { Connection, siblingFile } from '@specboard/storage'
import type { ProcessStart, Query, Reply } from './query-processes.ts'

const cacheMb = 16

/** A process that has grown beyond this runs no further query, because SQLite does not give memory back, bytes. */
const grownBytes = 128 << 20

const { file, memoryBytes, resultBytes } = JSON.parse(process.argv[2]!) as ProcessStart

// So that queries leave the processor to the service.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
new Worker(siblingFile(import.meta.url, 'memory-watch'), {
  workerData: memoryBytes,
}).unref()

/** When the running query ends, ms since the epoch. */
let deadline = 0

class OutOfTime extends Error {}

const connection = new Connection(file, { readonly: true, cacheMb })
connection.pragma('query_only = on')
const isOver = () => Date.now() > deadline
// Called for each row that a query looks at, so that no query runs past its deadline.
connection.define('within', () => {
  if (isOver()) throw new OutOfTime()
  return 1
})
for (const [name, call] of Object.entries(sqlFunctions)) connection.define(name, call)

/** Errors of SQLite for a query that exceeds a limit: tables, columns, arguments or depth. */
const limit =
  /at most 64 tables|too many (?:columns|arguments|SQL variables|terms)|Expression tree is too large|stack overflow|integer overflow/

/** Errors of SQLite for a query that needs too much memory: for a value, or at all. */
const tooLarge = /too big|out of memory/

function answer({ sql, parameters, timeoutMs }: Query): Reply {
  const started = performance.now()
  deadline = Date.now() + timeoutMs
  try {
    const { rows } = connection.execute<Record<string, unknown>>(sql, parameters)
    const found = rows.map(row => Object.values(row))
    return isLargerThan(resultBytes, found) ? { tooLarge: true } : { rows: found, ms: performance.now() - started }
  } catch (error) {
    if (isOver()) return { timedOut: true }
    const fault = error instanceof Error ? error.message : String(error)
    if (tooLarge.test(fault)) return { tooLarge: true }
    const [exceeded] = limit.exec(fault) ?? []
    return exceeded === undefined ? { fault } : { exceeded }
  }
}

/** Whether the values of a result, as text, take more than so many bytes; at least 8 for each. */
function isLargerThan(bytes: number, rows: readonly (readonly unknown[])[]): boolean {
  let left = bytes
  for (const row of rows) for (const value of row) left -= typeof value === 'string' ? 8 + value.length : 8
  return left < 0
}

process.on('message', (query: Query) => {
  const reply = answer(query)
  process.send!({ ...reply, spent: process.memoryUsage.rss() > grownBytes } satisfies Reply)
})
// A signal to the whole group of processes is for the service: it ends this process by disconnecting.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
process.once('disconnect', () => process.exit())
process.send!('ready')
