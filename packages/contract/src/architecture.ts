/** Architecture (contract: insight A). */

export const architecture = {} as const
