import type { KnowledgeGraph } from './knowledge-graph.ts'

declare module '../kernel/context.ts' {
  interface Environment {
    /** What of the knowledge graph runs beside the calls. */
    readonly graph: KnowledgeGraph
  }
}
