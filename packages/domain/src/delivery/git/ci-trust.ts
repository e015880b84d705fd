/** The CI tokens that are accepted for a repository (evidence 6.2). */
import { type features, type InputOf, type RepositoryAddress, readAddress } from '@specboard/contract'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { parseNullable } from '../../lib/json.ts'
import type { StoredCiTrust } from '../../schema/contents.ts'
import type { RepositoriesTable } from '../../schema/tables.ts'
import type { CiTokens } from '../ci/environment.ts'

type CiSettings = NonNullable<InputOf<(typeof features.git)['create_repository']>['body']['ci']>

/** The events that a run is trusted for by default. */
const usualEvents = ['push', 'pull_request', 'merge_group', 'schedule', 'workflow_dispatch']
const usualEventsOfGitlab = ['push', 'merge_request_event', 'schedule', 'web']

type Of = Pick<RepositoriesTable, 'board_id' | 'url' | 'forge' | 'default_branch'>

/**
 * A trust as it is stored, with defaults derived from its repository.
 * @throws DomainError VALIDATION_ERROR for an issuer whose keys cannot be fetched
 */
export function madeTrust(ctx: Context, settings: CiSettings, of: Of): StoredCiTrust {
  checkIssuer(settings.issuer, ctx.environment.ciIssuers)
  const { caller } = ctx
  return {
    issuer: settings.issuer,
    audience: settings.audience ?? `specboard:${of.board_id}`,
    subject: settings.subject ?? subjectOf(of.url),
    trusted_refs: settings.trusted_refs ?? [
      `refs/heads/${of.default_branch}`,
      `refs/heads/gh-readonly-queue/${of.default_branch}/**`,
    ],
    trusted_workflows: settings.trusted_workflows,
    trusted_events: settings.trusted_events ?? (of.forge === 'gitlab' ? usualEventsOfGitlab : usualEvents),
    environments: settings.environments,
    pinned_id: null,
    set_by: caller.id,
    set_at: ctx.now(),
    set_present: caller.present,
  }
}

/** @throws DomainError VALIDATION_ERROR */
function checkIssuer(issuer: string, issuers: CiTokens): void {
  const url = URL.parse(issuer)
  const isPlain = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (!isPlain || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw invalid('ci.issuer', 'ci.issuer must be the https address of the issuer, as its tokens name it.')
  if (url.protocol === 'http:' && !issuers.mayBePlain(url))
    throw invalid(
      'ci.issuer',
      'ci.issuer must be https. To allow http to its host, name it in SPECBOARD_OIDC_ALLOWED_HOSTS.',
    )
}

/** The issuers' name for the repository: the path of its address. */
function subjectOf(url: string): string {
  const address = readAddress(url)
  if ('fault' in address || address.host === '')
    throw invalid('ci.subject', 'The url does not show the repository name: send ci.subject as its issuer names it.')
  return (address as RepositoryAddress).path
}

/** A trust as callers see it; undefined members are internal to the service. */
export function shownTrust({ ci }: Pick<RepositoriesTable, 'ci'>) {
  const trust = parseNullable(ci)
  if (trust === null) return null
  const { set_present: _, ...visible } = trust
  return {
    ...visible,
    trusted_refs: [...visible.trusted_refs],
    trusted_workflows: [...visible.trusted_workflows],
    trusted_events: [...visible.trusted_events],
    environments: [...visible.environments],
  }
}
