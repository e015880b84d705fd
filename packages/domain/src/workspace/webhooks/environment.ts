import type { Webhooks } from './webhooks.ts'

declare module '../../kernel/context.ts' {
  interface Environment {
    /** Sends events to webhooks in the background. */
    readonly webhooks: Webhooks
  }
}
