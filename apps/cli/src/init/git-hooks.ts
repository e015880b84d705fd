/** The hooks of Git as a part of `init` (harness 2.1, 5.8). */
import { UsageError } from '../frame/usage-error.ts'
import { Git } from '../git/git.ts'
import { hasHooks, installHooks, keptLine, uninstallHooks } from '../git/hooks.ts'

const hasRepository = async (git: Git): Promise<boolean> => (await git.line('rev-parse', '--git-dir')) !== undefined

/**
 * @returns whether hooks of ours are there already
 * @throws UsageError outside a repository
 */
export async function checkGitHooks(folder: string): Promise<boolean> {
  const git = new Git(folder)
  if (!(await hasRepository(git)))
    throw new UsageError('--with git-hooks needs a Git repository here: git init, or leave that part out.')
  return hasHooks(git)
}

/**
 * Installs the hooks; those that are there are kept and called first. Returns what to add by hand, if another tool
 * writes them, or what was kept.
 */
export async function addGitHooks(folder: string): Promise<string | undefined> {
  const git = new Git(folder)
  const result = await installHooks(git, await git.place(), { trailer: true, paths: true, board: undefined })
  return result.advice ?? keptLine(result)
}

/** Removes the hooks, and restores the previous ones. Returns what was kept. */
export async function removeGitHooks(folder: string): Promise<string | undefined> {
  const git = new Git(folder)
  return (await hasRepository(git)) ? keptLine(await uninstallHooks(git, await git.place())) : undefined
}
