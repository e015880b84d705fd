/** Follows commits that are rewritten as others, or that no branch contains any more (git 3). */
import { toJson } from '../../../lib/json.ts'
import type { ChangesTable } from '../../../schema/tables.ts'
import { recordOnEntity } from '../linking.ts'
import {
  allLinksOf,
  branchesHolding,
  changesWithPatch,
  changeWithId,
  commitsOn,
  contentOf,
  takeOffBranch,
} from '../store.ts'
import type { Recorder } from './recorder.ts'

/** Removes from a rewritten branch the commits that are no longer reachable. */
export async function replaceHistory(
  recorder: Recorder,
  branch: ChangesTable,
  head: string,
  added: readonly ChangesTable[],
  placed: readonly string[],
): Promise<void> {
  const reachable = new Set<string>()
  const open = [head, ...placed]
  let isKnown = true
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    await recorder.step()
    const commit = await recorder.find(sha)
    const parents = commit === undefined ? undefined : contentOf(commit).parents
    if (parents === undefined || parents === null) isKnown = false
    if (commit === undefined || reachable.has(commit.id)) continue
    reachable.add(commit.id)
    for (const parent of parents ?? []) open.push(parent)
  }
  const others = (await commitsOn(recorder.ctx.db, branch)).filter(id => !reachable.has(id))
  const replaced = isKnown ? others : await replacedByPlace(recorder, others, reachable, added)
  await takeOffBranch(recorder.ctx.db, branch, replaced)
  for (const id of replaced) await leaveBranch(recorder, id, added)
}

/**
 * The replaced commits if ancestry is unknown: all from the first commit that reappeared as another one, or all after
 * the new head if that was already on the branch.
 */
async function replacedByPlace(
  recorder: Recorder,
  others: readonly string[],
  reachable: ReadonlySet<string>,
  added: readonly ChangesTable[],
): Promise<string[]> {
  // Ids are in the order in which commits arrived.
  const inOrder = others.toSorted()
  const newest = added.length > 0 ? undefined : [...reachable].toSorted().at(-1)
  if (newest !== undefined) return inOrder.filter(id => id > newest)
  for (const [place, id] of inOrder.entries()) {
    const row = await changeWithId(recorder.ctx.db, id)
    if (row !== undefined && added.some(commit => isSuccessor(row, commit))) return inOrder.slice(place)
  }
  return inOrder
}

/** A commit has left a branch: it was rewritten as one of the new ones, or is gone if no other branch contains it. */
export async function leaveBranch(recorder: Recorder, id: string, added: readonly ChangesTable[]): Promise<void> {
  const row = await changeWithId(recorder.ctx.db, id)
  if (row === undefined || row.state !== 'open' || (await branchesHolding(recorder.ctx.db, row)).length > 0) return
  const successor = added.find(commit => isSuccessor(row, commit))
  if (successor === undefined) await vanish(recorder, row)
  else await rewrite(recorder, row, successor)
}

/** Records that a commit is gone, as a report says. */
export async function removeVanished(recorder: Recorder, sha: string): Promise<void> {
  const commit = await recorder.find(sha)
  if (commit === undefined) {
    recorder.report.problems.push({ sha, reason: 'It is not known.' })
    return
  }
  if (commit.state !== 'open') return
  for (const id of await branchesHolding(recorder.ctx.db, commit))
    await takeOffBranch(recorder.ctx.db, { id, board_id: commit.board_id }, [commit.id])
  await vanish(recorder, commit)
}

/** Marks a commit as gone, unless it was rewritten as another; its cards and specs get an entry. */
async function vanish(recorder: Recorder, commit: ChangesTable): Promise<void> {
  if (contentOf(commit).rewritten_as !== undefined && contentOf(commit).rewritten_as !== null) return
  await recorder.change(commit, { state: 'vanished' })
  recorder.report.vanished++
  for (const link of await allLinksOf(recorder.ctx.db, commit))
    if (link.is_undone === 0)
      await recordOnEntity(recorder.ctx, link, commit.board_id, 'commit_vanished', {
        change_id: commit.id,
        kind: 'commit',
        title: commit.title,
        sha: commit.key,
      })
}

/** Records that a commit was rewritten as another, as a report says. */
export async function recordRewrite(
  recorder: Recorder,
  { old, new: next }: { readonly old: string; readonly new: string },
): Promise<void> {
  const [former, commit] = [await recorder.find(old), await recorder.find(next)]
  if (former === undefined || commit === undefined) {
    recorder.report.problems.push({ sha: former === undefined ? old : next, reason: 'It is not known.' })
    return
  }
  await rewrite(recorder, former, commit)
}

/** Links a commit that was rewritten to the one that replaces it, which takes over its links. */
async function rewrite(recorder: Recorder, former: ChangesTable, commit: ChangesTable): Promise<void> {
  const content = contentOf(former)
  if (former.id === commit.id || content.rewritten_as === commit.key) return
  const now = await recorder.change(former, {
    ...(former.state === 'vanished' && { state: 'open' as const }),
    content: toJson({ ...content, rewritten_as: commit.key }),
  })
  recorder.report.updated++
  await recorder.linker.inherit(commit, now)
}

/**
 * A commit with the same patch as another takes over its links; it replaces one that no branch contains (git 3, rule
 * 4).
 */
export async function takeOverSamePatch(recorder: Recorder, commit: ChangesTable): Promise<void> {
  if (commit.patch_id === null) return
  for (const other of await changesWithPatch(recorder.ctx.db, recorder.repository, commit.patch_id)) {
    if (other.id === commit.id) continue
    const isHeld = other.state === 'merged' || (await branchesHolding(recorder.ctx.db, other)).length > 0
    if (isHeld) await recorder.linker.inherit(commit, other)
    else if (!recorder.created.some(({ id }) => id === other.id)) await rewrite(recorder, other, commit)
  }
}

/** Whether a commit of a forced push is a rewritten form of another one. */
const isSuccessor = (row: ChangesTable, commit: ChangesTable): boolean =>
  (row.patch_id !== null && commit.patch_id === row.patch_id) ||
  (row.author_email !== null && commit.author_email === row.author_email && commit.title === row.title)
