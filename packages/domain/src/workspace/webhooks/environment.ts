import type { Webhooks } from './webhooks.ts'

declare module '../../kernel/context.ts' {
  interface Environment {
    /** What sends events to webhooks in the background. */
    readonly webhooks: Webhooks
  }
}
