import type { Backups } from './schedule.ts'

declare module '../../kernel/context.ts' {
  interface Environment {
    /** The scheduled backups of the service. */
    readonly backups: Backups
  }
}
