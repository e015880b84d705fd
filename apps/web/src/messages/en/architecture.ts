export const architecture = {} as const
