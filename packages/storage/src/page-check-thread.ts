/**
 * The thread of `checkPages`: writes the log of a killed server back, then checks the database table by table, so that
 * it can be ended in between.
 */
import './prototypes.ts'
import { parentPort, workerData } from 'node:worker_threads'
import { Connection } from './connection.ts'
import { faultIn } from './page-check.ts'

const file = workerData as string
writeLogBack(file)
const connection = new Connection(file, { readonly: true, cacheMb: 4 })
const tables = connection.rows<{ name: string }>("select name from sqlite_schema where type = 'table' order by name")
let fault: string | undefined
for (const { name } of tables) {
  fault = faultIn(connection, name)
  if (fault !== undefined) break
  // A turn of the event loop, in which the thread may be ended.
  await new Promise(resolve => setImmediate(resolve))
}
connection.close()
parentPort!.postMessage(fault)

function writeLogBack(file: string): void {
  const writer = new Connection(file, { readonly: false, cacheMb: 4 })
  writer.pragma('wal_checkpoint(passive)')
  writer.close()
}
