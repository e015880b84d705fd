/** `specboard git sync`: reports what is new in a repository to the service (git 5). */
import { createClient } from '@specboard/client'
import { reaching } from '../frame/failure.ts'
import type { KeyedTarget } from '../frame/target.ts'
import type { Git, RepositoryLocation } from './git.ts'
import { SyncState } from './queue.ts'
import { type ReadCommit, readCommits } from './read-commits.ts'
import type { KnownRepository } from './repository.ts'

/** How much is reported of a repository that the service does not know yet. */
export interface Reach {
  readonly all: boolean
  readonly since: string | undefined
}

/** The result of a sync. */
export interface SyncResult {
  readonly commits: number
  readonly branches: number
  readonly linked: number
  readonly vanished: number
  /** Branches of which the service knows newer commits than this clone. */
  readonly behind: readonly string[]
  readonly problems: readonly { readonly sha: string; readonly reason: string }[]
}

/** Commits per call. */
const atOnce = 200

/** Rewritten commits and branches per call. */
const maxOthers = 500

/** The first sync reports at most this many commits of this many days. */
const firstCommits = 2_000
const firstDays = 90

type Heads = Readonly<Record<string, string>>

/** The branches of a clone. */
interface Branches {
  readonly heads: Heads
  /** The default branch according to the remote, if there is one. */
  readonly defaultBranch: string | undefined
}

const branchPrefix = 'refs/heads/'
const remotePrefix = 'refs/remotes/origin/'

/** The branches of a clone, with their heads. */
async function branchesOf(git: Git): Promise<Branches> {
  const format = '--format=%(objectname) %(refname) %(symref)'
  const text = await git.text('for-each-ref', format, branchPrefix, `${remotePrefix}HEAD`)
  const refs = text.split('\n').map(line => line.split(' ') as [string, string?, string?])
  const heads = refs.flatMap(([sha, ref]) =>
    ref?.startsWith(branchPrefix) ? [[ref.slice(branchPrefix.length), sha] as const] : [],
  )
  const [, , remote] = refs.find(([, ref]) => ref === `${remotePrefix}HEAD`) ?? []
  const defaultBranch = remote?.startsWith(remotePrefix) ? remote.slice(remotePrefix.length) : undefined
  return { heads: Object.fromEntries(heads), defaultBranch }
}

/** The given commits that the clone has, including those that are heads of its branches. */
async function presentAmong(git: Git, shas: readonly string[], heads: Heads): Promise<ReadonlySet<string>> {
  const headShas = new Set(Object.values(heads))
  const others = shas.filter(sha => !headShas.has(sha))
  const listing = others.length === 0 ? '' : await git.text('rev-list', '--no-walk', '--ignore-missing', ...others)
  return new Set([...shas.filter(sha => headShas.has(sha)), ...listing.split('\n').filter(sha => sha !== '')])
}

/** Whether one commit is an ancestor of another; undefined if the clone lacks the commits to tell. */
async function leadsTo(git: Git, ancestor: string, sha: string): Promise<boolean | undefined> {
  const code = await git.code('merge-base', '--is-ancestor', ancestor, sha)
  return code === 0 ? true : code === 1 ? false : undefined
}

interface ReportedBranch {
  name: string
  head?: string
  deleted?: boolean
  forced?: boolean
  is_default?: boolean
}

/** The new commits of branches. */
async function newOf(git: Git, heads: Heads, reported: Heads, present: ReadonlySet<string>, defaultBranch: string) {
  const changed: ReportedBranch[] = []
  const behind: string[] = []
  for (const [name, head] of Object.entries(heads)) {
    const before = reported[name]
    if (before === head) continue
    // Others report to the service too: a clone that lacks its head, or is behind it, has nothing to add.
    if (before !== undefined && (!present.has(before) || (await leadsTo(git, head, before)) === true)) {
      behind.push(name)
      continue
    }
    const isForced = before !== undefined && (await leadsTo(git, before, head)) === false
    changed.push({ name, head, ...(isForced && { forced: true }), ...(name === defaultBranch && { is_default: true }) })
  }
  return { changed, behind }
}

/** The `git rev-list` range of what the service lacks. */
function rangeOf(heads: readonly string[], excluded: readonly string[], { all, since }: Reach): string[] {
  const range = [...heads, ...(excluded.length === 0 ? [] : ['--not', ...excluded])]
  if (all) return range
  if (since !== undefined) return [`--since=${since}`, ...range]
  return excluded.length > 0 ? range : [`--max-count=${firstCommits}`, `--since=${firstDays} days ago`, ...range]
}

const partsOf = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))

/** Reports what is new in a repository to the service: repeating it sends nothing. */
export async function syncRepository(
  target: KeyedTarget,
  git: Git,
  place: RepositoryLocation,
  repository: KnownRepository,
  reach: Reach,
): Promise<SyncResult> {
  const state = new SyncState(place.commonDir)
  const { rewritten, giveBack } = state.take()
  try {
    const { heads, defaultBranch } = await branchesOf(git)
    const reported = Object.fromEntries(repository.branches.map(({ name, head }) => [name, head]))
    const sentHeads = state.sent(repository.id)
    const present = await presentAmong(git, Object.values(reported), heads)
    const { changed, behind } = await newOf(git, heads, reported, present, defaultBranch ?? repository.default_branch)
    // A branch that was reported from here and no longer exists here was deleted.
    const deleted = Object.keys(sentHeads).filter(
      name => heads[name] === undefined && reported[name] === sentHeads[name],
    )
    const newHeads = changed.flatMap(({ head }) => head ?? [])
    const isWhole = reach.all || reach.since !== undefined
    const tips = isWhole ? Object.values(heads) : newHeads
    const commits =
      tips.length === 0 ? [] : await readCommits(git, place, rangeOf(tips, reach.all ? [] : [...present], reach))
    const branches = [...changed, ...deleted.map(name => ({ name, deleted: true }))]
    const result = await send(target, repository, { commits, branches, rewritten, shallow: place.isShallow })
    state.keep(repository.id, heads)
    return { ...result, behind }
  } catch (error) {
    giveBack()
    throw error
  }
}

interface News {
  readonly commits: readonly ReadCommit[]
  readonly branches: readonly ReportedBranch[]
  readonly rewritten: readonly { readonly old: string; readonly new: string }[]
  readonly shallow: boolean
}

async function send(target: KeyedTarget, repository: KnownRepository, { commits, branches, rewritten, shallow }: News) {
  const client = createClient(target)
  const total = { commits: commits.length, branches: branches.length, linked: 0, vanished: 0 }
  const problems: { sha: string; reason: string }[] = []
  const tell = async (part: object) => {
    const report = await reaching(target, () =>
      client.recordChanges({ board_id: repository.board_id, repository_id: repository.id, shallow, ...part }),
    )
    total.linked += report.linked
    total.vanished += report.vanished
    problems.push(...report.problems)
  }
  // Branches come last: by then the commits of their heads are known.
  for (const part of partsOf(commits, atOnce)) await tell({ commits: part })
  for (const part of partsOf(branches, maxOthers)) await tell({ branches: part })
  for (const part of partsOf(rewritten, maxOthers)) await tell({ rewritten: part })
  return { ...total, problems }
}
