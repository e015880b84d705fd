import { features } from '@specboard/contract'
import { implement } from '../implement.ts'

export const specOperations = implement(features.specs, {})
