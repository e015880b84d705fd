import type { KnowledgeGraph } from './knowledge-graph.ts'

declare module '../kernel/context.ts' {
  interface Environment {
    /** The parts of the knowledge graph that run in the background or share state between calls. */
    readonly graph: KnowledgeGraph
  }
}
