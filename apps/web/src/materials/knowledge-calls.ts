import type { ReadWritten, Written } from '../components/written-dialog.tsx'
import type { Needs } from '../data/needs.ts'

/** A piece of knowledge as a record names it; its content may have to be read. */
export interface KnowledgeItem {
  readonly id: string
  readonly title: string
  readonly description: string | null
  readonly content?: string
}

/** The calls about the knowledge of one record. */
export interface KnowledgeCalls {
  /** Where contents are kept that are read when they are first shown. */
  readonly key: readonly unknown[]
  read(id: string): Promise<{ readonly content: string }>
  add(written: Written): Promise<unknown>
  remove(id: string): Promise<unknown>
  /** How one is edited, where the interface can. */
  readonly change?: {
    read(id: string): Promise<ReadWritten>
    write(id: string, written: Written, ifMatch: string): Promise<unknown>
  }
  /** What each needs. */
  readonly needs: { readonly add: Needs; readonly remove: Needs; readonly change?: Needs }
}
