/** Agents (contract: access 8, 9). */

export const agents = {} as const
