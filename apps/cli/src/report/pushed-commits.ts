/** The commits of the push that a report is of, as record_changes takes them (evidence 11). */
import type { Git } from '../git/git.ts'
import { type ReadCommit, readCommits } from '../git/read-commits.ts'

/** What is told of a push. */
export interface Pushed {
  readonly commits: readonly ReadCommit[]
  readonly branches: readonly { readonly name: string; readonly head: string }[]
  readonly shallow: boolean
}

/** Which push. */
export interface PushOf {
  readonly commit: string | undefined
  /** What was there before. */
  readonly base: string | undefined
  /** A branch of the repository itself. */
  readonly branch: string | undefined
}

/** The most commits of a push that are told, and how many where nobody says what was there before. */
const mostCommits = 200
const fewCommits = 50

/** Branches that a forge makes for its merge queue, and removes. */
const isQueue = (branch: string): boolean => branch.startsWith('gh-readonly-queue/')

/** What the clone knows of a push; undefined where it is no clone, or lacks the commit. */
export async function pushedCommits(git: Git, { commit, base, branch }: PushOf): Promise<Pushed | undefined> {
  if (commit === undefined || !(await has(git, commit))) return undefined
  const place = await git.place()
  const isBaseHere = base !== undefined && base !== commit && (await has(git, base))
  const range = isBaseHere
    ? [`--max-count=${mostCommits}`, commit, '--not', base]
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
