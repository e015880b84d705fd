import { features } from '@specboard/contract'
import { implement } from '../implement.ts'

export const qaOperations = implement(features.qa, {})
