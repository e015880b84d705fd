import { features } from '@specboard/contract'
import { implement } from '../implement.ts'

export const meOperations = implement(features.me, {})
