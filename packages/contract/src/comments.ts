/** Comments (contract: cards 9). */

export const comments = {} as const
