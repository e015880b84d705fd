import type { Streams } from './streams.ts'

declare module '../context.ts' {
  interface Environment {
    /** What all event streams share. */
    readonly streams: Streams
  }
}
