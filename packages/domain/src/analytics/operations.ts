import { features } from '@specboard/contract'
import { implement } from '../implement.ts'

export const analyticsOperations = implement(features.analytics, {})
