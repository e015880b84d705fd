/** The thread of `checkPages`: looks through a database table by table, so that it can be ended in between. */
import { parentPort, workerData } from 'node:worker_threads'
import { Connection } from './connection.ts'
import { faultIn } from './page-check.ts'

const connection = new Connection(workerData as string, { readonly: true, cacheMb: 4 })
const tables = connection.rows<{ name: string }>("select name from sqlite_schema where type = 'table' order by name")
let fault: string | undefined
for (const { name } of tables) {
  fault = faultIn(connection, name)
  if (fault !== undefined) break
  // A turn, in which the thread may be ended.
  await new Promise(resolve => setImmediate(resolve))
}
connection.close()
parentPort!.postMessage(fault)
