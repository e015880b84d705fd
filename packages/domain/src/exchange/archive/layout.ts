/** The names of the files of an archive. */
export const files = {
  manifest: 'manifest.json',
  records: 'records.jsonl',
  events: 'events.jsonl',
  agents: 'agents.jsonl',
  attachment: (sha256: string) => `attachments/${sha256}`,
} as const

/**
 * An entry of more bytes than `largeEntry` that shrinks further than `maxCompressionRatio` to 1 is refused (exchange 1.5).
 */
export const zipBombLimits = { largeEntry: 2 ** 20, maxCompressionRatio: 100 } as const

/** Whether a file of an archive is an attachment. */
export const isAttachment = (name: string): boolean => /^attachments\/[0-9a-f]{64}$/.test(name)
