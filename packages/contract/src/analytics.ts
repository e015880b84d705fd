/** Analytics (contract: insight B). */

export const analytics = {} as const
