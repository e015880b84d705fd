import type { Notifications } from './notifications.ts'

declare module '../kernel/context.ts' {
  interface Environment {
    /** Notifies people in the background. */
    readonly notifications: Notifications
  }
}
