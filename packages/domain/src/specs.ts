import { endClaimsOfSpec } from './delivery/claims/end.ts'
import { specOperations as operationsWith } from './planning/specs/operations.ts'

/** The operations of specs: one that is cancelled ends the claims on its cards. */
export const specOperations = operationsWith(endClaimsOfSpec)
