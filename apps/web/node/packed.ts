import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the packed service has its pages, in a folder that is named after their build. */
const beside = fileURLToPath(new URL('web/', import.meta.url))

/** The folder of the pages that came with the service; undefined in a clone, which builds its own. */
export async function packedFolder(): Promise<string | undefined> {
  const [build] = await readdir(beside).catch(() => [])
  return build === undefined ? undefined : join(beside, build)
}
