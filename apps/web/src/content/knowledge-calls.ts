import type { ReadWritten, TitledText } from '../components/written-dialog.tsx'
import type { Needs } from '../data/needs.ts'

/** A knowledge item as a record lists it; its content may have to be read. */
export interface KnowledgeItem {
  readonly id: string
  readonly title: string
  readonly description: string | null
  readonly content?: string
}

/** The calls for the knowledge of one record. */
export interface KnowledgeCalls {
  /** The cache key of contents, which are read when they are first shown. */
  readonly key: readonly unknown[]
  read(id: string): Promise<{ readonly content: string }>
  add(text: TitledText): Promise<unknown>
  remove(id: string): Promise<unknown>
  /** Edits an item; undefined if the interface cannot. */
  readonly change?: {
    read(id: string): Promise<ReadWritten>
    write(id: string, text: TitledText, ifMatch: string): Promise<unknown>
  }
  /** The permissions needed for each. */
  readonly needs: { readonly add: Needs; readonly remove: Needs; readonly change?: Needs }
}
