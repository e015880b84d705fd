/** Cards (contract: cards). */

export const cards = {} as const
