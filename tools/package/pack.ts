import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Packs a built package as npm publishes it, with fixed file times, so that equal packages are equal files.
 * @returns the tarball
 */
export function packTarball(folder: string, into: string): string {
  mkdirSync(into, { recursive: true })
  const output = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', into], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [{ filename }] = JSON.parse(output) as [{ readonly filename: string }]
  return join(into, filename)
}
