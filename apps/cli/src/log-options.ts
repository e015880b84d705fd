import { maskKeys } from '@specboard/contract'
import type { CallRecord } from '@specboard/mcp'
import type { Logger, LoggerOptions } from 'pino'
import type { Settings } from './settings.ts'

/** The logging options: anything in a line that looks like a key is masked (trust 3). */
export const logOptions = ({ logLevel }: Pick<Settings, 'logLevel'>): LoggerOptions => ({
  level: logLevel,
  base: null,
  hooks: { streamWrite: maskKeys },
})

/**
 * The number of bytes of the access log that are buffered before writing; they are written after a second at the
 * latest.
 */
const batchBytes = 4_096

/** Where log lines are written: immediately, or in batches if every request is logged. */
export const logDestination = ({ accessLog }: Pick<Settings, 'accessLog'>) => ({
  fd: 2,
  sync: false,
  ...(accessLog === 'on' && { minLength: batchBytes, periodicFlush: 1_000 }),
})

/** The duration above which a call over MCP is always logged, ms. */
const slowMs = 1_000

/** Logs a call over MCP like a request: if it fails with 5xx, takes long, or every one is logged. */
export function logCall(log: Logger, call: CallRecord, all: boolean): void {
  if (call.status >= 500) log.error(call, 'failed')
  else if (all) log.info(call)
  else if (call.ms > slowMs) log.info(call, 'slow')
}
