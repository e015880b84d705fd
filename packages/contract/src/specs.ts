/** Specs (contract: specs). */

export const specs = {} as const
