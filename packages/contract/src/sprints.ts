/** Sprints (contract: planning 1). */

export const sprints = {} as const
