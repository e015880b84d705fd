/** The thread in which a running service backs itself up. */
import '@specboard/storage/prototypes'
import { parentPort, workerData } from 'node:worker_threads'
import { makeBackup } from './backup.ts'
import type { BackupOutcome, BackupTask } from './schedule.ts'

const outcome: BackupOutcome = await makeBackup(workerData as BackupTask).then(
  () => ({}),
  error => ({ error: error instanceof Error ? error.message : String(error) }),
)
parentPort!.postMessage(outcome)
