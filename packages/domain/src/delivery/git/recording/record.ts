/** Applies reports from Git or a forge to the changes of a repository (git 3, 5). */
import type { Context } from '../../../kernel/context.ts'
import { updateRow } from '../../../schema/rows.ts'
import type { RepositoriesTable } from '../../../schema/tables.ts'
import { Linker } from '../linking.ts'
import type { Occurrence } from '../occurrences.ts'
import { followBranch, mergeLate } from '../pull-requests.ts'
import type { GitReport, ReportedCommit } from '../reported.ts'
import { recordBranches } from './branches.ts'
import { recordCommit } from './commits.ts'
import { Recorder, type Report, type ReportSource } from './recorder.ts'
import { recordRewrite, removeVanished, takeOverSamePatch } from './rewriting.ts'

/** Records what one source reports about one repository, in one unit of work. */
export async function record(
  ctx: Context,
  repository: RepositoriesTable,
  word: ReportSource,
  reported: GitReport,
): Promise<{ readonly report: Report; readonly occurrences: readonly Occurrence[] }> {
  const linker = await Linker.of(ctx, repository)
  const recorder = new Recorder(ctx, repository, word, linker)
  await apply(recorder, reported)
  const { report } = recorder
  report.linked = linker.created.length
  if (report.created + report.updated + report.vanished > 0) await recordActivity(recorder, reported)
  const merged = recorder.merged.map(change => ({ what: 'merged' as const, change }))
  return { report, occurrences: [...linker.occurrences(), ...merged] }
}

async function apply(recorder: Recorder, reported: GitReport): Promise<void> {
  const returning = new Set(reported.vanished)
  const commits = recorder.source === 'forge' ? reported.commits : byTime(reported.commits)
  for (const commit of commits) await recordCommit(recorder, commit, !returning.has(commit.sha))
  await recordBranches(recorder, reported)
  await updateRequests(recorder, reported)
  for (const pair of reported.rewritten) await recordRewrite(recorder, pair)
  for (const commit of recorder.created) await takeOverSamePatch(recorder, commit)
  if (!reported.shallow) for (const sha of reported.vanished) await removeVanished(recorder, sha)
}

/** Commits, which may come in any order, by the time of each: their ids then say which came first (git 3, rule 2). */
function byTime(commits: readonly ReportedCommit[]): readonly ReportedCommit[] {
  const timeOf = ({ committed_at, authored_at }: ReportedCommit) => Date.parse(committed_at ?? authored_at ?? '')
  if (commits.some(commit => Number.isNaN(timeOf(commit)))) return commits
  return commits.toSorted((one, other) => timeOf(one) - timeOf(other))
}

/** Adds to pull requests what was added to their branches, and what was reported about them late (git 3). */
async function updateRequests(
  { ctx, linker, repository, created, step }: Recorder,
  reported: GitReport,
): Promise<void> {
  for (const name of branchNames(reported)) await followBranch(ctx, linker, repository, name)
  for (const commit of created) {
    await step()
    await mergeLate(ctx, commit)
  }
}

async function recordActivity(recorder: Recorder, reported: GitReport): Promise<void> {
  const { ctx, source, created, defaultBranch } = recorder
  const { id, board_id } = recorder.repository
  await updateRow(ctx.db, 'repositories', id, {
    ...(source !== 'forge' && { synced_at: ctx.now() }),
    default_branch: defaultBranch,
  })
  const names = branchNames(reported)
  await ctx.record({
    boardId: board_id,
    entity: { type: 'board', id: board_id },
    activity: {
      action: 'changes_recorded',
      details: {
        repository_id: id,
        branch: names.size === 1 ? [...names][0] : null,
        commits: created.length,
        source,
      },
    },
  })
}

const branchNames = ({ commits, branches }: GitReport): ReadonlySet<string> =>
  new Set([...branches.map(({ name }) => name), ...commits.flatMap(({ branch }) => branch ?? [])])
