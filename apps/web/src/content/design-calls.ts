import type { Needs } from '../data/needs.ts'

/** The call that creates a design of one record. */
export interface DesignCalls {
  /** The record, as the key of drafts. */
  readonly of: string
  add(design: { readonly title: string; readonly global_description: string }): Promise<{ readonly id: string }>
  readonly needs: Needs
}
