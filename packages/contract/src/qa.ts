/** Card questions (contract: cards 10). */

export const qa = {} as const
