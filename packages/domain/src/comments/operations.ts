import { features } from '@specboard/contract'
import { implement } from '../implement.ts'

export const commentOperations = implement(features.comments, {})
