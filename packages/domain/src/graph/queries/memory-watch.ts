/**
 * Ends the process once it exceeds its memory limit, or the service is gone. It is a thread of its own, because a query
 * blocks the main thread: SQLite as built by better-sqlite3 (`SQLITE_DEFAULT_MEMSTATUS=0`) ignores its heap limit, and
 * if the service was killed, nobody else ends a long query.
 */
import '@specboard/storage/prototypes'
import { workerData } from 'node:worker_threads'

const everyMs = 5

const { ppid: service } = process

setInterval(() => {
  const isTooLarge = process.memoryUsage.rss() > (workerData as number)
  // An orphaned process gets another parent.
  if (isTooLarge || process.ppid !== service) process.kill(process.pid, 'SIGKILL')
}, everyMs)
