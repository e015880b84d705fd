/** The description of a backup (exchange 3). */
import { z } from 'zod'

/** The entry that describes a backup: the last one, because it contains the hashes of all the others. */
export const manifestName = 'manifest.json'

const Manifest = z.object({
  format: z.literal('specboard.backup'),
  version: z.literal(1),
  created_at: z.string(),
  service_version: z.string(),
  entries: z.array(z.object({ name: z.string(), size: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
  /** Attachments whose file was already missing. */
  missing: z.array(z.string()),
})

/** The description of a backup. */
export type Manifest = z.output<typeof Manifest>

/** One file of a backup: its path in the data folder. */
export type BackupEntry = Manifest['entries'][number]

/** The description in a text; undefined when it is not one, or of a version that this one cannot read. */
export function manifestOf(text: string): Manifest | undefined {
  try {
    return Manifest.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
