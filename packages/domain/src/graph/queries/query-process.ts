/** The process behind `QueryProcesses`: runs queries on a limited reader of its own. */
import '@specboard/storage/prototypes'
import { constants, setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
// Imports only what a query needs: modules would otherwise be most of the memory of such a process.
import { sqlFunctions } from '@specboard/cypher/sql-functions'
import type { LimitedQuery, LimitedReader } from '@specboard/storage'
import { openLimitedReader } from '@specboard/storage/limited-reader'
import { siblingFile } from '@specboard/storage/sibling-file'
import type { ProcessStart, Reply } from './query-processes.ts'

// Lets the service take precedence over queries.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

process.once('message', async ({ address, memoryBytes, spentBytes, resultBytes }: ProcessStart) => {
  new Worker(siblingFile(import.meta.url, 'memory-watch'), {
    workerData: memoryBytes,
  }).unref()
  let reader: LimitedReader | undefined
  const usable = async (): Promise<LimitedReader | undefined> => {
    if (reader === undefined || reader.isLost)
      reader = await openLimitedReader({ address, resultBytes, functions: sqlFunctions }).catch(() => undefined)
    return reader
  }
  await usable()
  process.on('message', async (query: LimitedQuery) => {
    const reply = (await (await usable())?.run(query)) ?? { unreachable: true }
    process.send!({ ...reply, spent: process.memoryUsage.rss() > spentBytes } satisfies Reply)
  })
  process.send!('ready')
})
// A signal to the whole process group is meant for the service: it ends this process by disconnecting.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
process.once('disconnect', () => process.exit())
