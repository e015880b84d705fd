import { features } from '@specboard/contract'
import { implement } from '../implement.ts'

export const cardOperations = implement(features.cards, {})
