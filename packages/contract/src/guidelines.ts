/** Guidelines (contract: planning 2). */

export const guidelines = {} as const
