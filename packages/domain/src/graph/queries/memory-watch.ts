/**
 * Ends the process once it holds more memory than it may. A thread of its own, because a query blocks the main thread,
 * and SQLite as better-sqlite3 builds it (`SQLITE_DEFAULT_MEMSTATUS=0`) heeds no heap limit.
 */
import { workerData } from 'node:worker_threads'

const everyMs = 5

setInterval(() => {
  if (process.memoryUsage.rss() > (workerData as number)) process.kill(process.pid, 'SIGKILL')
}, everyMs)
