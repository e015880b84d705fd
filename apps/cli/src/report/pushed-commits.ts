/** The commits of the push that a report belongs to, in the form of record_changes (evidence 11). */
import type { Git } from '../git/git.ts'
import { type ReadCommit, readCommits } from '../git/read-commits.ts'

/** What is reported of a push. */
export interface Push {
  readonly commits: readonly ReadCommit[]
  readonly branches: readonly { readonly name: string; readonly head: string }[]
  readonly shallow: boolean
}

/** Which push. */
export interface PushOf {
  readonly commit: string | undefined
  /** The commit before it. */
  readonly base: string | undefined
  /** A branch of the repository itself. */
  readonly branch: string | undefined
}

/** Maximum number of commits of a push that are reported, and how many if the commit before it is unknown. */
const maxCommits = 200
const fewCommits = 50

/** Branches that a forge creates for its merge queue, and removes. */
const isQueue = (branch: string): boolean => branch.startsWith('gh-readonly-queue/')

/** What the clone knows about a push; undefined if it is not a clone, or lacks the commit. */
export async function pushedCommits(git: Git, { commit, base, branch }: PushOf): Promise<Push | undefined> {
  if (commit === undefined || !(await has(git, commit))) return undefined
  const place = await git.place()
  const isBaseHere = base !== undefined && base !== commit && (await has(git, base))
  const range = isBaseHere
    ? [`--max-count=${maxCommits}`, commit, '--not', base]
    : [`--max-count=${fewCommits}`, commit]
  const commits = await readCommits(git, place, range)
  return {
    commits,
    branches: branch === undefined || isQueue(branch) ? [] : [{ name: branch, head: commit }],
    shallow: place.isShallow,
  }
}

const has = async (git: Git, sha: string): Promise<boolean> =>
  (await git.code('cat-file', '-e', `${sha}^{commit}`)) === 0
