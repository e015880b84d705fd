import type { Needs } from '../data/needs.ts'

/** How a design of one record is made. */
export interface DesignCalls {
  /** The record, as the key of drafts. */
  readonly of: string
  add(design: { readonly title: string; readonly global_description: string }): Promise<{ readonly id: string }>
  readonly needs: Needs
}
