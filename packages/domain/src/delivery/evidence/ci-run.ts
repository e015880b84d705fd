/** The commit, run and repository that the session of a CI run may name: those in its token (evidence 6.2). */
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { type TierVerdict, tierOf } from '../../planning/proof/tiers.ts'
import type { RepositoriesTable } from '../../schema/tables.ts'
import { repositoryOrOnly } from '../git/repositories.ts'

/** The CI run that a caller names for its report or proof run. */
export interface RunIdentity {
  readonly commit?: string | null | undefined
  readonly tested_commit?: string | null | undefined
  readonly branch?: string | null | undefined
  readonly pull_request?: number | null | undefined
  readonly ci_run?: string | undefined
  readonly attempt?: number | undefined
}

/** The same, completed from the token. */
export interface RunContext {
  readonly commit: string | null
  readonly tested_commit: string | null
  readonly branch: string | null
  readonly pull_request: number | null
  readonly ci_run: string | null
  readonly attempt: number
  readonly judged: TierVerdict
  /**
   * Who was shown the secret behind it, so that it does not count for their own work; null if only a present person
   * was.
   */
  readonly seen_by: string | null
}

const branchRef = 'refs/heads/'

/**
 * What somebody's report or run belongs to, and how far it is trusted. For the session of a CI run, its token
 * determines most of it.
 * @param watched whether it belongs to a run that one of our programs watched
 * @throws DomainError VALIDATION_ERROR for anything that contradicts the token
 */
export async function runContextOf(ctx: Context, identity: RunIdentity, watched: boolean): Promise<RunContext> {
  const { caller, db } = ctx
  const plain = {
    commit: identity.commit ?? null,
    tested_commit: identity.tested_commit ?? null,
    branch: identity.branch ?? null,
    pull_request: identity.pull_request ?? null,
    ci_run: identity.ci_run ?? null,
    attempt: identity.attempt ?? 1,
    judged: tierOf(ctx, watched),
  }
  if (caller.ci === undefined) {
    const [agent] =
      caller.kind === 'ci'
        ? await db.selectFrom('agents').select('key_seen_by').where('id', '=', caller.id).execute()
        : []
    return { ...plain, seen_by: agent?.key_seen_by ?? null }
  }
  const { run } = caller.ci
  refuseOther('ci_run', identity.ci_run, run.ci_run)
  // If omitted over HTTP it is 1, which a retry of the job does not contradict.
  if (identity.attempt !== undefined && identity.attempt !== 1) refuseOther('attempt', identity.attempt, run.attempt)
  const { commit, isVerified } = await commitOf(ctx, identity)
  return {
    ...plain,
    commit,
    tested_commit: identity.tested_commit ?? (commit === run.commit ? null : run.commit),
    branch: identity.branch ?? (run.ref.startsWith(branchRef) ? run.ref.slice(branchRef.length) : null),
    pull_request: identity.pull_request ?? run.pull_request,
    ci_run: run.ci_run,
    attempt: run.attempt,
    judged:
      isVerified || plain.judged.tier !== 'ci'
        ? plain.judged
        : { tier: 'observed', tier_reason: 'commit_not_verified' },
    seen_by: run.seen_by,
  }
}

/**
 * The repository of a report or run: for the session of a CI run, only its own.
 * @param named id or name; by default the only one of the board, or that of the session
 * @throws DomainError VALIDATION_ERROR
 */
export async function repositoryOfRun(ctx: Context, named: string | undefined): Promise<RepositoriesTable | undefined> {
  const { ci } = ctx.caller
  const repository = await repositoryOrOnly(ctx.db, ctx.boardId, named ?? ci?.repositoryId)
  if (ci !== undefined) refuseOther('repository_id', repository?.id, ci.repositoryId)
  return repository
}

const refuseOther = (field: string, claimed: unknown, actual: unknown): void => {
  if (claimed !== undefined && claimed !== actual)
    throw invalid(field, `${field} comes from the token of the run, which says ${String(actual)}. Leave it out.`)
}

const isRequest = (event: string): boolean => event.startsWith('pull_request') || event === 'merge_request_event'

/** The commit of a report or run: that of the token, or the head of the request that it tests. */
async function commitOf(
  ctx: Context,
  { commit }: RunIdentity,
): Promise<{ readonly commit: string; readonly isVerified: boolean }> {
  const { run, repositoryId } = ctx.caller.ci!
  if (commit == null || commit === run.commit) return { commit: run.commit, isVerified: true }
  if (!isRequest(run.event))
    throw invalid('commit', `commit comes from the token of the run, which says ${run.commit}. Leave it out.`)
  const heads = await ctx.db
    .selectFrom('changes')
    .select('key')
    .where('repository_id', '=', repositoryId)
    .where('head', '=', commit)
    .where('head', 'is not', null)
    .where('kind', '=', 'pull_request')
    .where('confirmed_by', '=', 'forge')
    .execute()
  const isVerified = heads.some(({ key }) => run.pull_request === null || key === String(run.pull_request))
  return { commit, isVerified }
}
