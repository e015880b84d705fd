/** A piece of knowledge as a record names it; its content may have to be read. */
export interface KnowledgeItem {
  readonly id: string
  readonly title: string
  readonly description: string | null
  readonly content?: string
}

/** A piece of knowledge as somebody writes it. */
export interface WrittenKnowledge {
  readonly title: string
  readonly content: string
}

/** The calls about the knowledge of one record. */
export interface KnowledgeCalls {
  /** Where contents are kept that are read when they are first shown. */
  readonly key: readonly unknown[]
  read(id: string): Promise<{ readonly content: string }>
  add(written: WrittenKnowledge): Promise<unknown>
  remove(id: string): Promise<unknown>
}
