import { features } from '@specboard/contract'
import { implement } from '../implement.ts'

export const architectureOperations = implement(features.architecture, {})
