import { features } from '@specboard/contract'
import { implement } from '../implement.ts'

export const knowledgeGraphOperations = implement(features['knowledge-graph'], {})
