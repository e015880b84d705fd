import { features } from '@specboard/contract'
import { implement } from '../implement.ts'

export const guidelineOperations = implement(features.guidelines, {})
