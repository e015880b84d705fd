import { features } from '@specboard/contract'
import { implement } from '../implement.ts'

export const agentOperations = implement(features.agents, {})
