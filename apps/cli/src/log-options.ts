import { maskKeys } from '@specboard/contract'
import type { CallRecord } from '@specboard/mcp'
import type { Logger, LoggerOptions } from 'pino'
import type { Settings } from './settings.ts'

/** How the service logs: whatever a line holds, what looks like a key is masked in it (trust 3). */
export const logOptions = ({ logLevel }: Pick<Settings, 'logLevel'>): LoggerOptions => ({
  level: logLevel,
  base: null,
  hooks: { streamWrite: maskKeys },
})

/** So many bytes of the access log are gathered before they are written, or as much as comes in a second. */
const batchBytes = 4_096

/** Where the lines go: at once, or in batches where each request has one. */
export const logDestination = ({ accessLog }: Pick<Settings, 'accessLog'>) => ({
  fd: 2,
  sync: false,
  ...(accessLog === 'on' && { minLength: batchBytes, periodicFlush: 1_000 }),
})

/** A call over MCP that takes longer than this is logged in any case, ms. */
const slowMs = 1_000

/** Logs a call over MCP as requests are: where it fails with 5xx, or takes long, or every one is asked for. */
export function logCall(log: Logger, call: CallRecord, all: boolean): void {
  if (call.status >= 500) log.error(call, 'failed')
  else if (all) log.info(call)
  else if (call.ms > slowMs) log.info(call, 'slow')
}
