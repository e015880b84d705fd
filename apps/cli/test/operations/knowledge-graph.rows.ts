import type { Rows } from './row.ts'

export const knowledgeGraph: Rows<'knowledge-graph'> = {}
