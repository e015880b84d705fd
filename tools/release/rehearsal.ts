import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../package/root.ts'

/**
 * Rehearses the release of a version in a temporary copy of the committed files: nothing in this folder changes.
 * @param into where the artefacts are put
 */
export function rehearse(version: string, into: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-release-'))
  const copy = join(folder, 'specboard')
  const run = (command: string, ...args: readonly string[]): void => {
    console.log(`> ${[command, ...args].join(' ')}`)
    execFileSync(command, args, { cwd: copy, stdio: 'inherit' })
  }
  try {
    execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, copy], { stdio: 'inherit' })
    run('npx', '-y', 'pnpm@12', 'install', '--frozen-lockfile', '--prefer-offline')
    run('npx', '-y', 'pnpm@12', 'release', version)
    run('npx', '-y', 'pnpm@12', 'release')
    cpSync(join(copy, 'dist/release'), into, { recursive: true })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
