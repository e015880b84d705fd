/**
 * Ends the process once it holds more memory than it may, or the service is gone. A thread of its own, because a query
 * blocks the main thread: SQLite as better-sqlite3 builds it (`SQLITE_DEFAULT_MEMSTATUS=0`) heeds no heap limit, and of a
 * killed service nobody ends a query that takes long.
 */
import '@specboard/storage/prototypes'
import { workerData } from 'node:worker_threads'

const everyMs = 5

const { ppid: service } = process

setInterval(() => {
  const isTooLarge = process.memoryUsage.rss() > (workerData as number)
  // Whoever is left behind gets another parent.
  if (isTooLarge || process.ppid !== service) process.kill(process.pid, 'SIGKILL')
}, everyMs)
