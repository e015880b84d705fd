/** The thread in which a running service backs itself up. */
import '@specboard/storage/prototypes'
import { parentPort, workerData } from 'node:worker_threads'
import { errorMessage } from '@specboard/storage'
import { makeBackup } from './backup.ts'
import type { BackupOutcome, BackupTask } from './schedule.ts'

const outcome: BackupOutcome = await makeBackup(workerData as BackupTask).then(
  () => ({}),
  error => ({ error: errorMessage(error) }),
)
parentPort!.postMessage(outcome)
