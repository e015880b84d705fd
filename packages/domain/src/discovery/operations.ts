import { features } from '@specboard/contract'
import { implement } from '../implement.ts'

export const discoveryOperations = implement(features.discovery, {})
