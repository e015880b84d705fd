import { maskKeys } from '@specboard/contract'
import type { LoggerOptions } from 'pino'
import type { Settings } from './settings.ts'

/** How the service logs: whatever a line holds, what looks like a key is masked in it (trust 3). */
export const logOptions = ({ logLevel }: Pick<Settings, 'logLevel'>): LoggerOptions => ({
  level: logLevel,
  base: null,
  hooks: { streamWrite: maskKeys },
})
