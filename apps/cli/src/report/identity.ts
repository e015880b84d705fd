/** The identity with which a CI job sends its report: a key, otherwise the token of the job itself (evidence 11). */
import { routeNamed } from '@specboard/client'
import type { Operations } from '@specboard/contract'
import type { z } from 'zod'
import { Failure } from '../frame/failure.ts'
import { sendJson } from '../frame/send.ts'
import type { KeyedTarget, Target } from '../frame/target.ts'
import { UsageError } from '../frame/usage-error.ts'
import type { Variables } from './ci-environment.ts'
import type { Tries } from './tries.ts'

type Session = z.output<Operations['exchange_ci_token']['response']>

/** The facts about a CI run's session. */
export interface CiSession {
  readonly boardId: string
  readonly repositoryId: string
  readonly trusted: boolean
  readonly reason: string | null
}

/** The sender. */
export interface Identity {
  readonly target: KeyedTarget
  /** Undefined if a key is used. */
  readonly session: CiSession | undefined
}

/** What determines the audience of a token: the board, unless an audience is given. */
export interface TokenRequest {
  readonly board: string | undefined
  readonly audience: string | undefined
}

const isId = (text: string): boolean => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)

/**
 * The key in the environment, otherwise the session of the job's token.
 * @throws UsageError if there is neither; Refused if the token is not accepted
 */
export async function identityOf(
  target: Target,
  request: TokenRequest,
  variables: Variables,
  tries: Tries,
): Promise<Identity> {
  if (target.key !== undefined) return { target: { ...target, key: target.key }, session: undefined }
  // A key was given, but may not be sent to the address in a project's file (harness 1).
  if (target.refusal !== undefined && (variables.SPECBOARD_API_KEY || variables.SPECBOARD_API_KEY_FILE))
    throw new UsageError(target.refusal)
  const token = await tokenOf(request, variables, tries)
  const { board } = request
  const body = { token, ...(board !== undefined && { board_id: board }) }
  const [recipient, exchange] = [{ url: target.url, key: undefined }, routeNamed('exchange_ci_token')]
  const session = (await tries.of(signal =>
    sendJson(recipient, exchange, { params: {}, query: {}, body }, signal),
  )) as Session
  if (session.token === null) throw new Failure('NO_ANSWER', 'The service gave no session for this job. Send it again.')
  return {
    target: { ...target, key: session.token },
    session: {
      boardId: session.board_id,
      repositoryId: session.repository_id,
      trusted: session.trusted,
      reason: session.reason,
    },
  }
}

async function tokenOf({ board, audience }: TokenRequest, variables: Variables, tries: Tries): Promise<string> {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: bearer } = variables
  const idToken = variables.SPECBOARD_ID_TOKEN
  if (idToken !== undefined && idToken !== '') return idToken
  if (url === undefined || url === '' || bearer === undefined)
    throw new UsageError(
      'Nothing says who sends. Set SPECBOARD_API_KEY to the key of a ci agent, or give the job an OIDC token: "specboard ci setup" prints the lines.',
    )
  if (audience === undefined && (board === undefined || !isId(board)))
    throw new UsageError('Name the board by its id, for which the token is issued, in SPECBOARD_BOARD or --board.')
  const address = new URL(url)
  address.searchParams.set('audience', audience ?? `specboard:${board}`)
  return tries.of(signal => requestJobToken(address, bearer, signal))
}

async function requestJobToken(address: URL, bearer: string, signal: AbortSignal): Promise<string> {
  const answer = await fetch(address, { headers: { authorization: `Bearer ${bearer}` }, signal }).catch(error => {
    throw signal.aborted ? error : noToken('UNREACHABLE', (error as Error).message, error)
  })
  if (!answer.ok) throw noToken(answer.status >= 500 ? 'UNREACHABLE' : 'NO_TOKEN', `status ${answer.status}`)
  const { value } = (await answer.json().catch(() => ({}))) as { readonly value?: unknown }
  if (typeof value !== 'string') throw noToken('NO_TOKEN', 'its answer has none')
  return value
}

const noToken = (code: 'UNREACHABLE' | 'NO_TOKEN', why: string, cause?: unknown): Failure =>
  new Failure(code, `The CI system gave no OIDC token (${why}). The job needs the permission id-token: write.`, {
    cause,
  })
