/** Attachments (contract: cards 11). */

export const attachments = {} as const
