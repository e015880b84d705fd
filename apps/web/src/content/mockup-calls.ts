import type { Card } from '../data/cards.ts'
import type { Needs } from '../data/needs.ts'

/** A screen of a record (ideation 1.4). */
export type Mockup = Card['screen_mockups'][number]

/** The calls for the mockups of one record. */
export interface MockupCalls {
  /** The record, as the key of drafts. */
  readonly of: string
  read(): Promise<{ readonly mockups: readonly Mockup[]; readonly tag: string }>
  /** Writes all of them, conditional on the ETag. */
  write(mockups: readonly Mockup[], ifMatch: string): Promise<unknown>
  readonly needs: Needs
}
