import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The folder of prebuilt pages, named after their build; undefined in a clone, which builds its own.
 * @param name the folder next to the packaged service that holds it
 */
export async function packedFolder(name: string): Promise<string | undefined> {
  const beside = fileURLToPath(new URL(`${name}/`, import.meta.url))
  const [build] = await readdir(beside).catch(() => [])
  return build === undefined ? undefined : join(beside, build)
}
