/** exchange_ci_token: exchanges the token of a CI job for a session of its run (evidence 6.2). */
import type { features } from '@specboard/contract'
import { newCiToken, storedKey } from '../../kernel/access/keys.ts'
import { recordAudit } from '../../kernel/audit.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError, invalid } from '../../kernel/errors.ts'
import { multiStep, type Steps } from '../../kernel/implement.ts'
import { ciCaller } from '../../kernel/service/authenticate.ts'
import { nowhere } from '../../kernel/service/nobody.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import type { StoredCiRun, StoredCiTrust } from '../../schema/contents.ts'
import type { Db } from '../../schema/database.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import type { RepositoriesTable } from '../../schema/tables.ts'
import { type ClaimedRun, distrusted, foreignBy, runOf } from './claims.ts'
import type { CiClaims } from './environment.ts'

type Exchange = (typeof features.evidence)['exchange_ci_token']

/** How long a session lasts, and how long it is remembered that a run has had one, ms. */
const lastsMs = 15 * 60_000
const knownMs = 7 * 86_400_000

/** A repository with a trust, and its board. */
interface Trusting {
  readonly repository: RepositoriesTable
  readonly trust: StoredCiTrust
  readonly boardKey: string
  readonly ownerId: string
}

export const exchangeCiToken = multiStep<Exchange>(async ({ body }, steps) => {
  const issuer = issuerOf(body.token)
  const ofIssuer = issuer === undefined ? [] : await steps.read(({ db }) => trustingIn(db, issuer, body.board_id))
  if (issuer === undefined || ofIssuer.length === 0) throw unknownToken()
  const claims = await steps.environment.ciIssuers.verified(body.token, issuer)
  if (claims === undefined) throw unknownToken()
  const candidates = ofIssuer.filter(({ trust }) => audiencesOf(claims).includes(trust.audience))
  if (candidates.length === 0) throw unknownToken()
  const run = runOf(claims)
  if ('missing' in run) throw await refused(steps, candidates[0]!, run.missing, undefined)
  const ofRun = await fitting(steps, candidates, run)
  const token = newCiToken()
  return steps.write(ctx => opened(ctx, ofRun, run, token), ofRun.repository.board_id)
})

/** The audiences of a token. */
const audiencesOf = ({ aud }: CiClaims): readonly unknown[] => (Array.isArray(aud) ? aud : [aud])

/** The claimed issuer of a token; nothing else in it is trusted before its signature is verified. */
function issuerOf(token: string): string | undefined {
  try {
    const [, payload = ''] = token.split('.')
    const { iss } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { readonly iss?: unknown }
    return typeof iss === 'string' ? iss : undefined
  } catch {
    return undefined
  }
}

/** One message, whatever is wrong with a token, so that nobody learns from it which issuers are trusted. */
const unknownToken = (): DomainError =>
  new DomainError(
    'UNAUTHORIZED',
    'No repository here accepts this token. Check its issuer, audience and lifetime, and the ci of the repository.',
  )

/** The active repositories that trust an issuer, on one board if its id or key is given. */
async function trustingIn(db: Db, issuer: string, board: string | undefined): Promise<Trusting[]> {
  const rows = await db
    .selectFrom('repositories')
    .innerJoin('boards', 'boards.id', 'repositories.board_id')
    .selectAll('repositories')
    .select(['boards.key as board_key', 'boards.owner_id'])
    .where('repositories.ci_issuer', '=', issuer)
    .where('repositories.active', '=', 1)
    .$if(board !== undefined, some =>
      some.where(eb =>
        eb.or([
          eb('boards.id', '=', board!),
          eb('boards.key', '=', board!.toUpperCase()),
          eb(
            'boards.id',
            'in',
            eb.selectFrom('former_board_keys').select('board_id').where('key', '=', board!.toUpperCase()),
          ),
        ]),
      ),
    )
    .orderBy('repositories.name_key')
    .execute()
  return rows.map(({ board_key, owner_id, ...repository }) => ({
    repository,
    trust: parseJson(repository.ci!),
    boardKey: board_key,
    ownerId: owner_id,
  }))
}

/**
 * The repository that a run belongs to.
 * @throws DomainError FORBIDDEN, or VALIDATION_ERROR if it is on several boards
 */
async function fitting(steps: Steps, candidates: readonly Trusting[], run: ClaimedRun): Promise<Trusting> {
  const judged = candidates.map(trusting => ({ trusting, foreign: foreignBy(trusting.trust, run) }))
  const fits = judged.flatMap(({ trusting, foreign }) => (foreign === undefined ? [trusting] : []))
  const boards = [...new Map(fits.map(({ repository, boardKey }) => [repository.board_id, boardKey]))]
  if (boards.length > 1)
    throw invalid('board_id', 'Several boards trust this repository: send board_id.', {
      boards: boards.map(([id, key]) => ({ id, key })),
    })
  const [first] = fits
  if (first !== undefined) return first
  // The nearest match explains most: its name fits, but its number or environment does not.
  const nearest = judged.find(({ foreign }) => foreign !== 'repository') ?? judged[0]!
  throw await refused(steps, nearest.trusting, nearest.foreign!, run)
}

/** The refusal of a token with a valid signature, which is recorded in the audit log. */
async function refused(
  steps: Steps,
  { repository: { id, name, board_id } }: Trusting,
  reason: string,
  run: ClaimedRun | undefined,
): Promise<DomainError> {
  const details = { reason, repository: run?.repository ?? null, ref: run?.ref ?? null, ci_run: run?.run ?? null }
  await steps.write(ctx => recordAudit(ctx, 'ci_refused', { type: 'repository', id, name }, [], details), board_id)
  return new DomainError(
    'FORBIDDEN',
    `The claim ${reason} of the token is not what the repository trusts. Whoever manages the repository can set its ci.`,
    { reason, claim: reason },
  )
}

async function opened(
  ctx: Context,
  { repository, trust, boardKey, ownerId }: Trusting,
  run: ClaimedRun,
  token: string,
) {
  const { db } = ctx
  const stored: StoredCiRun = {
    commit: run.commit,
    ref: run.ref,
    event: run.event,
    ci_run: run.run,
    attempt: run.attempt,
    reason: distrusted(trust, run),
    pull_request: run.pullRequest,
    seen_by: trust.set_present ? null : trust.set_by,
  }
  const now = Date.parse(ctx.now())
  const expires_at = new Date(now + lastsMs).toISOString()
  const name = `${run.issuerName} ${repository.name}`
  const { board_id } = repository
  await db
    .deleteFrom('ci_sessions')
    .where('created_at', '<', new Date(now - knownMs).toISOString())
    .execute()
  const before = await db.selectFrom('ci_sessions').select('run').where('repository_id', '=', repository.id).execute()
  const isKnown = before.some(row => parseJson(row.run).ci_run === stored.ci_run)
  await insertRow(db, 'ci_sessions', {
    token_hash: storedKey(token).key_hash,
    board_id,
    repository_id: repository.id,
    name,
    run: toJson(stored),
    expires_at,
    created_at: ctx.now(),
  })
  if (trust.pinned_id === null && run.repositoryId !== '')
    await updateRow(db, 'repositories', repository.id, { ci: toJson({ ...trust, pinned_id: run.repositoryId }) })
  if (!isKnown) {
    const as = ctx.as(ciCaller({ boardId: board_id, ownerId, repositoryId: repository.id, run: stored }, name), nowhere)
    const details = { repository: run.repository, ref: run.ref, ci_run: run.run }
    await recordAudit(
      as,
      'ci_session_opened',
      { type: 'repository', id: repository.id, name: repository.name },
      [],
      details,
    )
  }
  return {
    token,
    expires_at,
    board_id,
    board_key: boardKey,
    repository_id: repository.id,
    repository: repository.name,
    commit: stored.commit,
    ref: stored.ref,
    event: stored.event,
    ci_run: stored.ci_run,
    attempt: stored.attempt,
    trusted: stored.reason === null,
    reason: stored.reason,
  }
}
