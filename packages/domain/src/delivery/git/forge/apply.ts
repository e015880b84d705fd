/** Applies an event to the changes of its repository, in one unit of work (git 2). */
import type { Context } from '../../../kernel/context.ts'
import { updateRow } from '../../../schema/rows.ts'
import type { RepositoriesTable } from '../../../schema/tables.ts'
import { recordCheck } from '../checks.ts'
import type { Occurrence } from '../occurrences.ts'
import { amendRequest, findRequest, type Outcome, recordRequest, recordReview } from '../pull-requests.ts'
import { record } from '../recording/record.ts'
import type { ForgeEvent, ReportedPush } from '../reported.ts'

/** The result of an event, and its effects on changes. */
interface EventOutcome {
  readonly outcome: Outcome
  readonly occurrences: readonly Occurrence[]
}

async function applyPush(
  ctx: Context,
  repository: RepositoriesTable,
  push: ReportedPush,
  seenBy: string | null,
): Promise<EventOutcome> {
  const { branch: name, head, isDeleted, isForced, login, commits, isCut } = push
  const { report, occurrences } = await record(
    ctx,
    repository,
    { source: 'forge', seenBy },
    {
      commits: isDeleted ? [] : commits,
      branches: [
        {
          name,
          ...(head !== null && { head }),
          deleted: isDeleted,
          forced: isForced,
          gap: isCut,
          login,
          is_default: name === repository.default_branch,
        },
      ],
      rewritten: [],
      vanished: [],
      complete: false,
      shallow: false,
    },
  )
  const outcome = {
    changes: report.created + report.updated,
    links: report.linked,
    reason: report.problems[0]?.reason ?? null,
  }
  return { outcome, occurrences }
}

/** An event being applied. */
interface TakenEvent {
  readonly event: ForgeEvent
  /** The forge's id for it. */
  readonly deliveryId: string
  /** According to the forge; null if it does not say. */
  readonly defaultBranch: string | null
  /** Who was shown the secret that signed it, unless that was a present person. */
  readonly seenBy: string | null
}

/** Applies an event of a repository, and then makes the moves of cards that its board is set up for. */
export async function applyEvent(
  ctx: Context,
  row: RepositoriesTable,
  { event, deliveryId, defaultBranch, seenBy }: TakenEvent,
): Promise<Outcome> {
  const { outcome, occurrences } = await applied(ctx, row, { event, defaultBranch, seenBy })
  await ctx.environment.onChanges(ctx, { repository: row, occurrences, source: { delivery_id: deliveryId } })
  return outcome
}

const plain = (outcome: Outcome): EventOutcome => ({ outcome, occurrences: [] })

async function applied(
  ctx: Context,
  row: RepositoriesTable,
  { event, defaultBranch, seenBy }: Omit<TakenEvent, 'deliveryId'>,
): Promise<EventOutcome> {
  const repository = { ...row, default_branch: defaultBranch ?? row.default_branch }
  if (repository.default_branch !== row.default_branch)
    await updateRow(ctx.db, 'repositories', row.id, { default_branch: repository.default_branch })
  switch (event.kind) {
    case 'push':
      return applyPush(ctx, repository, event, seenBy)
    case 'pull_request': {
      const { request, outcome, occurrences } = await recordRequest(ctx, repository, event.request, seenBy)
      if (event.isQueued !== undefined) await amendRequest(ctx, request, { queued: event.isQueued })
      const isReviewChanged = event.review !== undefined && (await recordReview(ctx, request, event.review))
      const isMore = isReviewChanged || event.isQueued !== undefined
      return { outcome: isMore ? { ...outcome, changes: outcome.changes + 1, reason: null } : outcome, occurrences }
    }
    case 'queue': {
      const request = await findRequest(ctx.db, repository, event.number)
      if (request === undefined) return plain({ changes: 0, links: 0, reason: 'The pull request is not known.' })
      await amendRequest(ctx, request, { queued: event.isQueued })
      return plain({ changes: 1, links: 0, reason: null })
    }
    case 'check': {
      const isNews = await recordCheck(ctx, repository, event.check, seenBy)
      return plain({
        changes: isNews ? 1 : 0,
        links: 0,
        reason: isNews ? null : 'A newer state of the check is known.',
      })
    }
    case 'ignored':
      return plain({ changes: 0, links: 0, reason: event.reason })
    case 'ping':
      return plain({ changes: 0, links: 0, reason: null })
  }
}
