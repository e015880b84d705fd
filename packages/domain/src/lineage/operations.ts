import { features } from '@specboard/contract'
import { implement } from '../implement.ts'

export const lineageOperations = implement(features.lineage, {})
