/** The calling agent (contract: access 11). */

export const me = {} as const
