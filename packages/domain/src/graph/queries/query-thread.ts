/** The thread behind `CypherThread`: runs queries on its own read-only connection. */
import { parentPort, workerData } from 'node:worker_threads'
import { sqlFunctions } from '@specboard/cypher'
import { Connection } from '@specboard/storage'
import type { Asking, ThreadStart, Told } from './thread.ts'

const cacheMb = 16

/** The deadline of the running query, ms since the epoch. */
let deadline = 0

class OutOfTime extends Error {}

const { file, stopped } = workerData as ThreadStart
const connection = new Connection(file, { readonly: true, cacheMb })
connection.pragma('query_only = on')
const isOver = () => Date.now() > deadline || Atomics.load(stopped, 0) !== 0
// Called for each row that a query looks at, so that no query runs past its deadline.
connection.define('within', () => {
  if (isOver()) throw new OutOfTime()
  return 1
})
for (const [name, call] of Object.entries(sqlFunctions)) connection.define(name, call)

/** Errors of SQLite for a query that exceeds a limit: tables, columns, arguments, depth, or the size of a value. */
const limit =
  /at most 64 tables|too many (?:columns|arguments|SQL variables|terms)|Expression tree is too large|stack overflow|integer overflow|too big/

function answer({ sql, parameters, deadline: until }: Asking): Told {
  deadline = until
  try {
    const { rows } = connection.execute<Record<string, unknown>>(sql, parameters)
    return { rows: rows.map(row => Object.values(row)) }
  } catch (error) {
    if (isOver()) return { timedOut: true }
    const fault = error instanceof Error ? error.message : String(error)
    const [exceeded] = limit.exec(fault) ?? []
    return exceeded === undefined ? { fault } : { exceeded }
  }
}

/** Runs a query; null ends the thread. */
parentPort!.on('message', (asking: Asking | null) => {
  if (asking !== null) return parentPort!.postMessage(answer(asking))
  connection.close()
  parentPort!.close()
})
