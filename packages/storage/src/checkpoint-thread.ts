/** The thread of a `Checkpointer`: checkpoints the log when asked to, on a connection of its own. */
import './prototypes.ts'
import { parentPort, workerData } from 'node:worker_threads'
import { Connection } from './connection.ts'
import { errorMessage } from './error-message.ts'

const connection = new Connection(workerData as string, { readonly: false, cacheMb: 1, mustExist: true })
parentPort!.on('message', () => {
  try {
    connection.pragma('wal_checkpoint(passive)')
    parentPort!.postMessage(undefined)
  } catch (error) {
    // Such as a full disk: the log stays, and contains everything.
    parentPort!.postMessage(errorMessage(error))
  }
})
