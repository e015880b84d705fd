/** Knowledge graph (contract: knowledge-graph). */

export const knowledgeGraph = {} as const
