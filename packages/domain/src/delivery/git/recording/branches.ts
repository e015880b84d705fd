/** Records reported branches: their heads, that they are gone, and that they are merged (git 3). */
import { toJson } from '../../../lib/json.ts'
import type { ChangesTable } from '../../../schema/tables.ts'
import { mentionsOfBranch } from '../recognition.ts'
import type { GitReport, ReportedBranch } from '../reported.ts'
import { branchesOf, commitsOn, contentOf, findChange, holds, takeOffBranch } from '../store.ts'
import { placeCommits } from './placing.ts'
import { noRequest, type Recorder } from './recorder.ts'
import { leaveBranch } from './rewriting.ts'

/**
 * Records the reported branches, and those that reported commits are on; after a complete report, the others of the
 * repository are gone.
 */
export async function recordBranches(
  recorder: Recorder,
  { commits, branches, complete, shallow }: GitReport,
): Promise<void> {
  const byName = new Map(branches.map(branch => [branch.name, branch]))
  for (const { branch } of commits)
    if (branch !== undefined && branch !== null && !byName.has(branch)) byName.set(branch, { name: branch })
  const master = branches.find(({ is_default }) => is_default === true)
  if (master !== undefined) recorder.defaultBranch = master.name
  // The default branch first: its commits are not the work of another branch.
  const inOrder = [...byName.values()].toSorted(
    (one, other) => Number(recorder.isDefault(other.name)) - Number(recorder.isDefault(one.name)),
  )
  for (const branch of inOrder) {
    const placed = commits.filter(({ branch: on }) => on === branch.name).map(({ sha }) => sha)
    await recordBranch(recorder, branch, placed, shallow)
  }
  if (complete && !shallow)
    for (const branch of await branchesOf(recorder.ctx.db, recorder.repository))
      if (!byName.has(branch.key) && !(await isGone(recorder, branch))) await removeBranch(recorder, branch)
  if (byName.size > 0) await mergeBranches(recorder)
}

async function recordBranch(
  recorder: Recorder,
  reported: ReportedBranch,
  placed: readonly string[],
  shallow: boolean,
): Promise<void> {
  const { ctx, report, repository, source } = recorder
  const present = await findChange(ctx.db, repository, 'branch', reported.name)
  if (reported.deleted === true) {
    if (present === undefined || (await isGone(recorder, present))) report.unchanged++
    else await removeBranch(recorder, present)
    return
  }
  const head = await headOf(recorder, present, reported, reported.head ?? placed.at(-1) ?? null)
  const branch = present ?? (await insertBranch(recorder, reported))
  const content = contentOf(branch)
  // One that was deleted holds nothing: it comes back with what its head reaches, be that the one before.
  const isMoved = head !== null && (content.head !== head || branch.state === 'deleted')
  const changed = changesOf(recorder, branch, { head, isMoved, gapCame: reported.gap === true && content.gap !== true })
  if (present === undefined) report.created++
  else if (changed === undefined) report.unchanged++
  else report.updated++
  const moved = changed === undefined ? branch : await recorder.change(branch, changed)
  if (present === undefined && recorder.places.has('branch'))
    await recorder.linker.link(moved, mentionsOfBranch(reported.name))
  const isFilled = content.gap === true && head !== null && source !== 'forge'
  await placeCommits(recorder, moved, {
    head: isMoved || isFilled ? head : null,
    former: content.head ?? null,
    placed,
    forced: reported.forced === true,
    shallow,
  })
}

/** The columns of a branch that a report changes; undefined if it changes none. */
function changesOf(
  recorder: Recorder,
  branch: ChangesTable,
  update: { readonly head: string | null; readonly isMoved: boolean; readonly gapCame: boolean },
): Partial<ChangesTable> | undefined {
  const { head, isMoved, gapCame } = update
  const content = contentOf(branch)
  const returned = branch.state === 'deleted'
  const better = recorder.knowsBetter(branch)
  if (!isMoved && !returned && !better && !gapCame) return undefined
  const now = recorder.ctx.now()
  return {
    ...(returned && { state: 'open' as const }),
    ...(better && { confirmed_by: recorder.source }),
    ...((isMoved || returned) && { happened_at: now }),
    content: toJson({
      ...content,
      head: head ?? (returned ? null : (content.head ?? null)),
      ...(isMoved && { last_push_at: now }),
      ...(gapCame && { gap: true }),
    }),
  }
}

/** The reported head of a branch; when a pipeline ends late, the newer stored one. */
async function headOf(
  recorder: Recorder,
  present: ChangesTable | undefined,
  { forced }: ReportedBranch,
  head: string | null,
): Promise<string | null> {
  const standing = present === undefined ? undefined : contentOf(present).head
  if (recorder.source !== 'ci' || forced === true || head === null || !standing || standing === head) return head
  const commit = await recorder.find(head)
  return commit !== undefined && (await holds(recorder.ctx.db, present!.id, commit.id)) ? standing : head
}

function insertBranch(recorder: Recorder, { name, login = null }: ReportedBranch): Promise<ChangesTable> {
  return recorder.insert({
    kind: 'branch',
    key: name,
    title: name,
    state: 'open',
    author_name: null,
    author_email: null,
    author_login: login,
    confirmed_by: recorder.source,
    seen_by: recorder.seenBy,
    is_external: 0,
    is_linked: 0,
    is_bare: 0,
    files_changed: null,
    additions: null,
    deletions: null,
    patch_id: null,
    ...noRequest,
    content: toJson({ head: null, last_push_at: recorder.ctx.now() }),
    happened_at: recorder.ctx.now(),
  })
}

/** Whether a branch was removed before: one that was merged stays so, but holds nothing. */
const isGone = async ({ ctx }: Recorder, branch: ChangesTable): Promise<boolean> =>
  branch.state === 'deleted' || (branch.state === 'merged' && (await commitsOn(ctx.db, branch)).length === 0)

async function removeBranch(recorder: Recorder, branch: ChangesTable): Promise<void> {
  const { db } = recorder.ctx
  const commits = await commitsOn(db, branch)
  const master = await findChange(db, recorder.repository, 'branch', recorder.defaultBranch)
  const isMerged = branch.state === 'merged' || (await hasReached(recorder, branch, master))
  await takeOffBranch(db, branch, commits)
  await recorder.change(branch, { state: isMerged ? 'merged' : 'deleted' })
  recorder.report.updated++
  for (const id of commits) await leaveBranch(recorder, id, [])
}

/** Marks a branch whose head has reached the default branch as merged. */
async function mergeBranches(recorder: Recorder): Promise<void> {
  const { db } = recorder.ctx
  const master = await findChange(db, recorder.repository, 'branch', recorder.defaultBranch)
  if (master === undefined) return
  for (const branch of await branchesOf(db, recorder.repository)) {
    const { head, ahead } = contentOf(branch)
    if (branch.id === master.id || ahead !== true || !head) continue
    const state = (await hasReached(recorder, branch, master)) ? 'merged' : 'open'
    if (state !== branch.state) await recorder.change(branch, { state })
  }
}

/** Whether the head of a branch with work of its own is on the default branch. */
async function hasReached(
  recorder: Recorder,
  branch: ChangesTable,
  master: ChangesTable | undefined,
): Promise<boolean> {
  const { head, ahead } = contentOf(branch)
  if (master === undefined || branch.id === master.id || ahead !== true || !head) return false
  const commit = await recorder.find(head)
  return commit !== undefined && (await holds(recorder.ctx.db, master.id, commit.id))
}
