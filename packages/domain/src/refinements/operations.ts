import { features } from '@specboard/contract'
import { implement } from '../implement.ts'

export const refinementOperations = implement(features.refinements, {})
