/**
 * Prepares a version, or builds the artefacts of its release. Publishes nothing.
 *
 * Usage: pnpm release VERSION               sets the version and dates the changelog; review the difference and commit it
 *        pnpm release                       builds dist/release of the current version, after the upgrade tests
 *        pnpm release VERSION --try FOLDER  does both in a copy of what is committed, and puts the artefacts into FOLDER
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { description } from './distribution/description.ts'
import { root } from './package/root.ts'
import { makeArtefacts, sizesOf } from './release/artefacts.ts'
import { sectionOf, withRelease } from './release/changelog.ts'
import { rehearse } from './release/rehearsal.ts'
import { isLater } from './release/version.ts'

const {
  positionals: [wanted],
  values: { try: into },
} = parseArgs({ allowPositionals: true, options: { try: { type: 'string' } } })
const changelogFile = join(root, 'CHANGELOG.md')
const changelog = readFileSync(changelogFile, 'utf8')

if (wanted === undefined) await release()
else if (into === undefined) prepare(wanted)
else rehearse(wanted, resolve(into))

function prepare(version: string): void {
  if (!isLater(version, description.version)) throw new Error(`${version} is not later than ${description.version}.`)
  const dated = withRelease(changelog, version, new Date().toISOString().slice(0, 10))
  const manifestFile = join(root, 'package.json')
  const manifest = readFileSync(manifestFile, 'utf8')
  writeFileSync(manifestFile, manifest.replace(`"version": "${description.version}"`, `"version": "${version}"`))
  writeFileSync(changelogFile, dated)
  // In a separate process, which reads the new version.
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
