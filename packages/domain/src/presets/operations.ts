import { features } from '@specboard/contract'
import { implement } from '../implement.ts'

export const presetOperations = implement(features.presets, {})
