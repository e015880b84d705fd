/** The file that lists the cards claimed in a work tree: hooks read it (git 5). */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Git } from './git.ts'

/** Records a card that was claimed in a folder; does nothing outside a repository. */
export async function noteClaim(folder: string, ref: string): Promise<void> {
  const gitDir = await new Git(folder).line('rev-parse', '--absolute-git-dir')
  if (gitDir === undefined) return
  const file = join(gitDir, 'specboard', 'claim')
  if (claimsIn(gitDir).includes(ref)) return
  mkdirSync(join(gitDir, 'specboard'), { recursive: true })
  appendFileSync(file, `${ref}\n`)
}

/** The cards claimed in a work tree, by its Git directory. */
export function claimsIn(gitDir: string): string[] {
  const file = join(gitDir, 'specboard', 'claim')
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(line => line !== '')
    : []
}
