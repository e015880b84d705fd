import type { ForgeEvents } from './forge-events.ts'

declare module '../../../kernel/context.ts' {
  interface Environment {
    /** What takes in the events of forges, and reads them in the background. */
    readonly forgeEvents: ForgeEvents
  }
}
