/** Takes what an event tells into the changes of its repository, in one unit of work (git 2). */
import type { Context } from '../../../kernel/context.ts'
import { updateRow } from '../../../schema/rows.ts'
import type { RepositoriesTable } from '../../../schema/tables.ts'
import { recordCheck } from '../checks.ts'
import { amendRequest, findRequest, type Outcome, recordRequest, recordReview } from '../pull-requests.ts'
import { Recording } from '../recording.ts'
import type { ForgeEvent, ToldPush } from '../told.ts'

async function applyPush(ctx: Context, repository: RepositoriesTable, push: ToldPush): Promise<Outcome> {
  const { branch: name, head, isDeleted, isForced, commits, isCut } = push
  const report = await Recording.run(ctx, repository, 'forge', {
    commits: isDeleted ? [] : commits,
    branches: [
      {
        name,
        ...(head !== null && { head }),
        deleted: isDeleted,
        forced: isForced,
        gap: isCut,
        is_default: name === repository.default_branch,
      },
    ],
    rewritten: [],
    vanished: [],
    complete: false,
    shallow: false,
  })
  return {
    changes: report.created + report.updated,
    links: report.linked,
    reason: report.problems[0]?.reason ?? null,
  }
}

/** Takes an event of a repository whose default branch is the forge's own word. */
export async function applyEvent(
  ctx: Context,
  row: RepositoriesTable,
  event: ForgeEvent,
  defaultBranch: string | null,
): Promise<Outcome> {
  const repository = { ...row, default_branch: defaultBranch ?? row.default_branch }
  if (repository.default_branch !== row.default_branch)
    await updateRow(ctx.db, 'repositories', row.id, { default_branch: repository.default_branch })
  switch (event.kind) {
    case 'push':
      return applyPush(ctx, repository, event)
    case 'pull_request': {
      const { request, outcome } = await recordRequest(ctx, repository, event.request)
      if (event.isQueued !== undefined) await amendRequest(ctx, request, { queued: event.isQueued })
      const said = event.review !== undefined && (await recordReview(ctx, request, event.review))
      return said || event.isQueued !== undefined ? { ...outcome, changes: outcome.changes + 1, reason: null } : outcome
    }
    case 'queue': {
      const request = await findRequest(ctx.db, repository.id, event.number)
      if (request === undefined) return { changes: 0, links: 0, reason: 'The pull request is not known.' }
      await amendRequest(ctx, request, { queued: event.isQueued })
      return { changes: 1, links: 0, reason: null }
    }
    case 'check': {
      const isNews = await recordCheck(ctx, repository, event.check)
      return { changes: isNews ? 1 : 0, links: 0, reason: isNews ? null : 'A newer state of the check is known.' }
    }
    case 'ignored':
      return { changes: 0, links: 0, reason: event.reason }
    case 'ping':
      return { changes: 0, links: 0, reason: null }
  }
}
