/** Lineage (contract: planning 3). */

export const lineage = {} as const
