/** Reads the claims of a CI job's token, and evaluates them against a trust (evidence 6.2). Pure. */
import type { StoredCiRun, StoredCiTrust } from '../../schema/contents.ts'
import type { CiClaims } from './environment.ts'
import { fits } from './patterns.ts'

/** A run as described by its token, independent of the issuer's terms. */
export interface ClaimedRun {
  /** The issuer's name and number for the repository. */
  readonly repository: string
  readonly repositoryId: string
  readonly commit: string
  /** In full, such as `refs/heads/main`. */
  readonly ref: string
  readonly event: string
  readonly run: string
  readonly attempt: number
  readonly workflow: string | undefined
  readonly environment: string | undefined
  readonly pullRequest: number | null
  /** The name of the issuer, for people. */
  readonly issuerName: string
}

const textOf = (claims: CiClaims, ...names: readonly string[]): string | undefined => {
  for (const name of names) {
    const value = claims[name]
    if (typeof value === 'string' && value !== '') return value
    if (typeof value === 'number') return String(value)
  }
  return undefined
}

/** The number of the pull or merge request in a ref. */
const requestOf = (ref: string): number | null => {
  const [, number] = /^refs\/(?:pull|merge-requests)\/([0-9]{1,9})\//.exec(ref) ?? []
  return number === undefined ? null : Number(number)
}

const isSha = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)

/** The run described by a token; otherwise the name of the first claim that is missing or malformed. */
export function runOf(claims: CiClaims): ClaimedRun | { readonly missing: string } {
  const isGitlab = claims.project_path !== undefined
  const repository = textOf(claims, isGitlab ? 'project_path' : 'repository')
  const repositoryId = textOf(claims, isGitlab ? 'project_id' : 'repository_id')
  const commit = textOf(claims, 'sha')
  const ref = refOf(claims, isGitlab)
  const event = textOf(claims, isGitlab ? 'pipeline_source' : 'event_name')
  const run = textOf(claims, isGitlab ? 'pipeline_id' : 'run_id')
  const attempt = Number(textOf(claims, 'run_attempt') ?? 1)
  if (repository === undefined) return { missing: 'repository' }
  if (commit === undefined || !isSha(commit)) return { missing: 'sha' }
  if (ref === undefined) return { missing: 'ref' }
  if (event === undefined) return { missing: isGitlab ? 'pipeline_source' : 'event_name' }
  if (run === undefined || run.length > 100) return { missing: isGitlab ? 'pipeline_id' : 'run_id' }
  return {
    repository,
    repositoryId: repositoryId ?? '',
    commit,
    ref,
    event,
    run,
    attempt: Number.isInteger(attempt) && attempt >= 1 && attempt <= 1_000 ? attempt : 1,
    workflow: textOf(claims, 'job_workflow_ref', 'workflow_ref', 'ci_config_ref_uri'),
    environment: textOf(claims, 'environment'),
    pullRequest: requestOf(ref),
    issuerName: issuerNameOf(claims, isGitlab),
  }
}

function refOf(claims: CiClaims, isGitlab: boolean): string | undefined {
  const ref = textOf(claims, ...(isGitlab ? ['ref_path', 'ref'] : ['ref']))
  if (ref === undefined || ref.startsWith('refs/')) return ref
  return `refs/${claims.ref_type === 'tag' ? 'tags' : 'heads'}/${ref}`
}

function issuerNameOf({ iss }: CiClaims, isGitlab: boolean): string {
  if (isGitlab) return 'GitLab'
  const issuer = String(iss)
  if (issuer.startsWith('https://token.actions.githubusercontent.com')) return 'GitHub'
  return issuer.endsWith('/api/actions') ? 'Forgejo' : 'CI'
}

/** Why a run does not belong to a repository, and the claim that shows it; undefined if it does. */
export function foreignBy(
  trust: StoredCiTrust,
  run: ClaimedRun,
): 'repository' | 'repository_id' | 'environment' | undefined {
  if (run.repository !== trust.subject) return 'repository'
  if (trust.pinned_id !== null && run.repositoryId !== trust.pinned_id) return 'repository_id'
  const { environments } = trust
  if (environments.length > 0 && !environments.includes(run.environment ?? '')) return 'environment'
  return undefined
}

/** Why a run only counts as `observed`: whoever may push a branch may rewrite the workflow on it. */
export function distrusted(trust: StoredCiTrust, { event, ref, workflow }: ClaimedRun): StoredCiRun['reason'] {
  if (!trust.trusted_events.includes(event)) return 'event_not_trusted'
  const isTrusted =
    trust.trusted_refs.some(pattern => fits(pattern.startsWith('refs/') ? pattern : `refs/heads/${pattern}`, ref)) ||
    (workflow !== undefined && trust.trusted_workflows.some(pattern => fits(pattern, workflow)))
  return isTrusted ? null : 'ref_not_trusted'
}
