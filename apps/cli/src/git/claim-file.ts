/** The file that says which cards are claimed in a work tree: hooks of git read it (git 5). */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const fileIn = (gitDir: string): string => join(gitDir, 'specboard', 'claim')

/** The cards claimed in a work tree, by its Git directory. */
export function claimsIn(gitDir: string): string[] {
  const file = fileIn(gitDir)
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(line => line !== '')
    : []
}

/** Adds cards to those claimed in a work tree and removes others; writes nothing if that changes nothing. */
export function keepClaims(gitDir: string, added: readonly string[], removed: readonly string[] = []): void {
  const before = claimsIn(gitDir)
  const after = [...new Set([...before.filter(ref => !removed.includes(ref)), ...added])]
  if (after.join('\n') === before.join('\n')) return
  mkdirSync(join(gitDir, 'specboard'), { recursive: true })
  writeFileSync(fileIn(gitDir), after.map(ref => `${ref}\n`).join(''))
}
