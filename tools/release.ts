/**
 * Prepares a version, or makes what its release hands out. Publishes nothing.
 *
 * Usage: pnpm release VERSION  sets the version and dates the changelog; look at the difference and commit it
 *        pnpm release          makes dist/release of the present version, after the upgrade tests
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { description } from './distribution/description.ts'
import { root } from './package/root.ts'
import { makeArtefacts, sizesOf } from './release/artefacts.ts'
import { sectionOf, withRelease } from './release/changelog.ts'
import { isLater } from './release/version.ts'

const [wanted] = process.argv.slice(2)
const changelogFile = join(root, 'CHANGELOG.md')
const changelog = readFileSync(changelogFile, 'utf8')

if (wanted === undefined) await release()
else prepare(wanted)

function prepare(version: string): void {
  if (!isLater(version, description.version)) throw new Error(`${version} is not later than ${description.version}.`)
  const dated = withRelease(changelog, version, new Date().toISOString().slice(0, 10))
  const manifestFile = join(root, 'package.json')
  const manifest = readFileSync(manifestFile, 'utf8')
  writeFileSync(manifestFile, manifest.replace(`"version": "${description.version}"`, `"version": "${version}"`))
  writeFileSync(changelogFile, dated)
  // In a process of its own, which reads the new version.
  execFileSync(process.execPath, ['tools/docs.ts'], { cwd: root, stdio: 'inherit' })
}

async function release(): Promise<void> {
  const { version } = description
  if (sectionOf(changelog, version) === undefined)
    throw new Error(`CHANGELOG.md has no section ${version}; "pnpm release ${version}" makes it.`)
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.workspace.ts']
  const tests = ['upgrades', 'distribution', 'docs.test'].map(test => `apps/cli/test/${test}`)
  execFileSync(process.execPath, [...vitest, ...tests], { cwd: root, stdio: 'inherit' })
  console.table(sizesOf(await makeArtefacts(join(root, 'dist/release'))))
}
