import { features } from '@specboard/contract'
import { claimOperations } from './delivery/work/operations.ts'
import { implement } from './kernel/implement.ts'
import { eventOperations } from './workspace/events/operations.ts'

/** The operations of a team that shares a board, which are implemented in two places. */
export const workOperations = implement(features.work, { ...claimOperations, ...eventOperations })
