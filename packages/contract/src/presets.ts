/** Presets (contract: access 10). */

export const presets = {} as const
