import { keepClaims } from './claim-file.ts'
import { Git } from './git.ts'

/** The directory that git has for the work tree of a folder; undefined outside of a repository. */
const gitDirOf = (folder: string): Promise<string | undefined> =>
  new Git(folder).line('rev-parse', '--absolute-git-dir')

/** Notes a card that was claimed in a folder; nothing outside a repository. */
export async function noteClaim(folder: string, ref: string): Promise<void> {
  const gitDir = await gitDirOf(folder)
  if (gitDir !== undefined) keepClaims(gitDir, [ref])
}

/** Notes that a card is no longer claimed in a folder. */
export async function dropClaim(folder: string, ref: string): Promise<void> {
  const gitDir = await gitDirOf(folder)
  if (gitDir !== undefined) keepClaims(gitDir, [], [ref.toUpperCase()])
}
