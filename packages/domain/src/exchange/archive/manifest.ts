import { z } from 'zod'

/** The format name in manifest.json. */
export const archiveFormat = 'specboard.board'

/** The version of the format that is written here. */
export const archiveVersion = 2

/** The versions that are read here. */
const readVersions = [1, archiveVersion] as const

/** Maximum number of files that a manifest lists (walls 5). */
const maxEntries = 100_000

/** A file of an archive, except the manifest. */
const Entry = z.strictObject({
  name: z.string(),
  size: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

export type ArchiveEntry = z.output<typeof Entry>

/** The first file of an archive (exchange 1). */
export const Manifest = z.strictObject({
  format: z.literal(archiveFormat),
  version: z.literal(readVersions),
  exported_at: z.string(),
  service_version: z.string(),
  board: z.strictObject({ id: z.string(), key: z.string(), name: z.string() }),
  counts: z.record(z.string(), z.int().min(0)),
  entries: z.array(Entry).max(maxEntries),
})

export type Manifest = z.output<typeof Manifest>
