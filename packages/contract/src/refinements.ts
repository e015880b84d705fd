/** Refinements (contract: ideation). */

export const refinements = {} as const
