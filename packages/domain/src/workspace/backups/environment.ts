import type { Backups } from './schedule.ts'

declare module '../../kernel/context.ts' {
  interface Environment {
    /** The backups that the service makes by itself. */
    readonly backups: Backups
  }
}
