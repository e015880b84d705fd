/** Discovery (contract: planning 4). */

export const discovery = {} as const
