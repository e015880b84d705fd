/** Places commits on a branch: those that its head reaches, and those that were reported to be on it (git 3). */
import { toJson } from '../../../lib/json.ts'
import type { ChangesTable } from '../../../schema/tables.ts'
import { allLinksOf, branchesHolding, contentOf, findChange, holds, placedBehind, putOnBranch } from '../store.ts'
import type { Recorder } from './recorder.ts'
import { replaceHistory } from './rewriting.ts'

/** What a report says about the commits of a branch. */
interface BranchReport {
  /** The head from which to walk; null if walking would add nothing. */
  readonly head: string | null
  /** The head before. */
  readonly former: string | null
  /** The commits that were reported to be on it. */
  readonly placed: readonly string[]
  readonly forced: boolean
  readonly shallow: boolean
}

/** Adds commits to a branch: those reachable from its head, and those reported to be on it. */
export async function placeCommits(recorder: Recorder, branch: ChangesTable, report: BranchReport): Promise<void> {
  const { ctx } = recorder
  const { head, former, placed } = report
  const walk = head === null ? undefined : await walkFrom(recorder, branch, head)
  if (walk?.isComplete === true) await closeGap(recorder, branch)
  const added: ChangesTable[] = [...(walk?.added ?? [])]
  for (const sha of placed) {
    const commit = await recorder.find(sha)
    if (commit === undefined || added.some(({ id }) => id === commit.id)) continue
    if (!(await holds(ctx.db, branch.id, commit.id))) added.push(commit)
  }
  const fresh = await onNoBranch(recorder, added)
  for (const commit of added)
    await putOnBranch(ctx.db, {
      branch_id: branch.id,
      commit_id: commit.id,
      board_id: commit.board_id,
      placed_at: ctx.now(),
    })
  if (walk !== undefined && former !== null && !report.shallow && (report.forced || walk.leftFormer(former)))
    await replaceHistory(recorder, branch, head!, added, placed)
  if (recorder.isDefault(branch.key)) await mergeCommits(recorder, added)
  else await takeAsOwnWork(recorder, branch, added, fresh)
}

/** The commits that are reachable from a head and that its branch does not contain yet. */
async function walkFrom(recorder: Recorder, branch: ChangesTable, head: string) {
  const { db } = recorder.ctx
  const master = await findChange(db, recorder.repository, 'branch', recorder.defaultBranch)
  const hasGap = contentOf(branch).gap === true
  const isMerged = async ({ id }: ChangesTable): Promise<boolean> =>
    master !== undefined && master.id !== branch.id && (await holds(db, master.id, id))
  const added: ChangesTable[] = []
  const contained = new Set<string>()
  const visited = new Set<string>()
  const behind = new Set<string>()
  const open = [head]
  let isComplete = true
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    if (visited.has(sha)) continue
    visited.add(sha)
    await recorder.step()
    const commit = await recorder.find(sha)
    if (commit === undefined) {
      isComplete = false
      continue
    }
    if (await holds(db, branch.id, commit.id)) {
      contained.add(sha)
      // Nothing is missing behind a known commit, unless the branch has a gap.
      if (!hasGap) continue
    } else {
      if (await isMerged(commit)) continue
      added.push(commit)
    }
    const { parents } = contentOf(commit)
    if (parents !== undefined && parents !== null) {
      open.push(...parents)
      continue
    }
    isComplete = false
    // What is behind one of them is behind those before it too.
    if (behind.has(sha) || contained.has(sha)) continue
    for (const earlier of await placedBehind(db, commit)) {
      behind.add(earlier)
      open.push(earlier)
    }
  }
  return {
    added,
    isComplete,
    /** Whether the former head is not reachable from the new one; unknown ancestry is not assumed (git 3, rule 2). */
    leftFormer: (former: string): boolean => isComplete && !contained.has(former) && !visited.has(former),
  }
}

/** A branch whose commits are all known now has no gap. */
async function closeGap(recorder: Recorder, branch: ChangesTable): Promise<void> {
  const row = (await findChange(recorder.ctx.db, recorder.repository, 'branch', branch.key))!
  if (contentOf(row).gap === true) await recorder.change(row, { content: toJson({ ...contentOf(row), gap: false }) })
}

async function onNoBranch(recorder: Recorder, commits: readonly ChangesTable[]): Promise<ReadonlySet<string>> {
  const free = new Set<string>()
  for (const commit of commits) if ((await branchesHolding(recorder.ctx.db, commit)).length === 0) free.add(commit.id)
  return free
}

/** Marks commits on the default branch as merged. */
async function mergeCommits(recorder: Recorder, commits: readonly ChangesTable[]): Promise<void> {
  for (const { key } of commits) {
    const commit = (await recorder.find(key))!
    if (commit.state === 'merged') continue
    const merged = await recorder.change(commit, {
      state: 'merged',
      seen_by: recorder.seenBy,
      content: toJson({ ...contentOf(commit), merged_at: recorder.ctx.now() }),
    })
    recorder.merged.push(merged)
  }
}

/** Gives the branch's links to commits that were first seen with it and name no record themselves (git 4). */
async function takeAsOwnWork(
  recorder: Recorder,
  branch: ChangesTable,
  added: readonly ChangesTable[],
  fresh: ReadonlySet<string>,
): Promise<void> {
  if (added.length === 0) return
  if (contentOf(branch).ahead !== true)
    await recorder.change(branch, { content: toJson({ ...contentOf(branch), ahead: true }) })
  for (const commit of added) {
    if (commit.state === 'vanished') await recorder.change(commit, { state: 'open' })
    if (fresh.has(commit.id) && (await allLinksOf(recorder.ctx.db, commit)).length === 0)
      await recorder.linker.inherit(commit, branch)
  }
}
