import type { Backups } from './schedule.ts'

declare module '../../kernel/context.ts' {
  interface Environment {
    /** The backups that the service makes of itself. */
    readonly backups: Backups
  }
}
