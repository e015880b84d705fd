import { features } from '@specboard/contract'
import { implement } from '../implement.ts'

export const sprintOperations = implement(features.sprints, {})
