import type { ForgeEvents } from './forge-events.ts'

declare module '../../../kernel/context.ts' {
  interface Environment {
    /** Receives forge events, and processes them in the background. */
    readonly forgeEvents: ForgeEvents
  }
}
