import type { Notifications } from './notifications.ts'

declare module '../kernel/context.ts' {
  interface Environment {
    /** What tells persons in the background. */
    readonly notifications: Notifications
  }
}
