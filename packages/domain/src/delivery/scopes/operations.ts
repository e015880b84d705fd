import type { features, Reservation } from '@specboard/contract'
import type { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { blocked, notFound } from '../../kernel/errors.ts'
import { ExplicitAnswer, type Implementation, type Input } from '../../kernel/implement.ts'
import { paged, pageOf, window } from '../../kernel/page.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import type { PathReservationsTable } from '../../schema/tables.ts'
import { repositoryOrOnly } from '../git/repositories.ts'
import { BoardScopes, fromOtherSide, recordingOverlaps, seenByA } from './overlaps.ts'
import {
  countReservations,
  deleteReservation,
  findReservation,
  isInScope,
  liveScopes,
  ownReservations,
  type ReservationRow,
  reservationsOf,
  type Scope,
  scopeOn,
  sweepReservations,
} from './store.ts'

type Harness = typeof features.harness

/** Maximum number of active reservations of an agent (harness 5.7). */
const maxReservations = 20

const reservationOf = (
  { paths, session, client, worktree, ...row }: ReservationRow,
  scopes: BoardScopes,
): z.output<typeof Reservation> => ({
  ...row,
  overlaps: scopes.ofHeld(row.id),
  paths: parseJson(paths),
  session: session === null ? null : { id: session, client, name: worktree },
})

/** Whether a scope is the caller's, in the given session. */
const isMine = (scope: Scope, { caller }: Context, session: string | undefined): boolean =>
  scope.agent_id === caller.id && (session === undefined || scope.session === null || scope.session.id === session)

/**
 * The repository that a call names; undefined if it names none.
 * @throws DomainError VALIDATION_ERROR for one that the board does not have
 */
const repositoryNamed = async ({ db, boardId }: Context, named: string | null | undefined) =>
  named == null ? undefined : repositoryOrOnly(db, boardId, named)

/** check_paths: who works on files; nothing is written (harness 5.6). */
const checkPaths: Implementation<Harness['check_paths']> = async ({ body }, ctx) => {
  const repository = (await repositoryNamed(ctx, body.repository_id))?.name ?? null
  const scopes = await liveScopes(ctx.db, ctx.boardId, ctx.now())
  const files = [...new Set(body.paths)]
  const found = files.map(path => ({ path, in: scopes.filter(scope => isInScope(scope, { path, repository })) }))
  const own = (scope: Scope) => isMine(scope, ctx, body.session)
  const holdsCards = scopes.some(scope => scope.kind === 'card' && own(scope))
  return {
    paths: found
      .filter(({ in: scopes }) => scopes.length > 0)
      .map(({ path, in: scopes }) => ({
        path,
        claims: scopes.map(scope => {
          const { kind, ref, agent_name, until } = scope
          return { kind, ref, agent_name, until, mine: own(scope) }
        }),
      })),
    outside: holdsCards ? found.filter(({ in: scopes }) => !scopes.some(own)).map(({ path }) => path) : [],
  }
}

/** The patterns of a scope in a canonical order, to compare two scopes. */
const sorted = (paths: readonly string[]): string => JSON.stringify(paths.toSorted())

/** reserve_paths: reserves paths without a card, or renews the reservation (harness 5.7). */
const reservePaths: Implementation<Harness['reserve_paths']> = async ({ body }, ctx) => {
  const now = ctx.now()
  const session = body.session ?? null
  const repository_id = (await repositoryNamed(ctx, body.repository_id))?.id ?? null
  const own = await ownReservations(ctx.db, { agent: ctx.caller.id, now })
  const same = own.find(
    row =>
      row.board_id === ctx.boardId &&
      row.session === session &&
      row.repository_id === repository_id &&
      sorted(parseJson(row.paths)) === sorted(body.paths),
  )
  if (same !== undefined) return new ExplicitAnswer(await renewed(ctx, same, body), { status: 200 })
  if (own.length >= maxReservations)
    throw blocked(
      'LIMIT_REACHED',
      `You have ${maxReservations} live reservations. Release one with release_paths, or reserve more paths in one.`,
      { limit: maxReservations, what: 'reservations' },
    )
  await sweepReservations(ctx.db, { board: ctx.boardId, now })
  const row: PathReservationsTable = {
    id: ctx.newId(),
    board_id: ctx.boardId,
    agent_id: ctx.caller.id,
    paths: toJson(body.paths),
    note: body.note ?? null,
    session,
    repository_id,
    created_at: now,
    expires_at: endOf(ctx, body),
  }
  const { id: reservation_id, note } = row
  const { lease_seconds } = body
  await recordingOverlaps(
    ctx,
    row,
    async () => {
      await insertRow(ctx.db, 'path_reservations', row)
      await recordOnBoard(ctx, 'paths_reserved', { reservation_id, paths: body.paths, note, lease_seconds })
    },
    { isWork: true, allow: body.allow_overlap, isUnheld: true },
  )
  return answered(ctx, row.id)
}

type Reserving = Input<Harness['reserve_paths']>['body']

const endOf = (ctx: Context, { lease_seconds }: Pick<Reserving, 'lease_seconds'>): string =>
  new Date(Date.parse(ctx.now()) + lease_seconds * 1_000).toISOString()

async function renewed(ctx: Context, { id }: PathReservationsTable, body: Reserving) {
  await updateRow(ctx.db, 'path_reservations', id, {
    expires_at: endOf(ctx, body),
    ...(body.note !== undefined && { note: body.note }),
  })
  return answered(ctx, id)
}

const answered = async (ctx: Context, id: string) =>
  reservationOf((await findReservation(ctx.db, id, ctx.now()))!, await BoardScopes.read(ctx, ctx.boardId))

const recordOnBoard = (ctx: Context, action: string, details: Readonly<Record<string, unknown>>): Promise<void> =>
  ctx.record({ boardId: ctx.boardId, entity: { type: 'board', id: ctx.boardId }, activity: { action, details } })

const listReservations: Implementation<Harness['list_reservations']> = async ({ query }, ctx) => {
  const of = { board: ctx.boardId, now: ctx.now() }
  const rows = await reservationsOf(ctx.db, { ...of, ...window(query) })
  const scopes = await BoardScopes.read(ctx, ctx.boardId)
  const count = async () => (await countReservations(ctx.db, of))[0]!.count
  return paged(rows, query, count, row => reservationOf(row, scopes))
}

/**
 * release_paths: those of another agent can be released by whoever may change the board; an expired one is 404 (harness
 * 5.7).
 */
const releasePaths: Implementation<Harness['release_paths']> = async ({ params }, ctx) => {
  const row = await findReservation(ctx.db, params.reservation_id, ctx.now())
  ctx.require(row === undefined || row.agent_id === ctx.caller.id ? 'CARDS_CLAIM' : 'BOARDS_UPDATE')
  if (row === undefined) throw notFound('reservation', params.reservation_id)
  await recordingOverlaps(ctx, row, () => deleteReservation(ctx.db, { id: row.id }))
  await recordOnBoard(ctx, 'paths_released', {
    reservation_id: row.id,
    paths: parseJson(row.paths),
    agent_id: row.agent_id,
  })
}

/**
 * list_overlaps: those of the board, of a card or of an agent, each once; or those that a plan would have (harness
 * 5.3).
 */
const listOverlaps: Implementation<Harness['list_overlaps']> = async ({ query }, ctx) => {
  const { card_id, paths, agent_id } = query
  const scopes = await BoardScopes.read(ctx, ctx.boardId)
  const isOf = (id: string) => agent_id === undefined || agent_id === id
  if (paths !== undefined && paths.length > 0) {
    const found = scopes.ofPlan(paths).filter(overlap => isOf(overlap.agent_id))
    return pageOf(
      found.map(b => ({ b })),
      query,
    )
  }
  if (card_id !== undefined && scopes.scopeOf(card_id) === undefined) {
    // Nobody holds it: these are the overlaps that a claim by the caller would have.
    const [card] = await scopeOn(ctx.db, { board: ctx.boardId, card: card_id })
    const overlaps = card === undefined ? [] : (scopes.ofCard({ id: card.id, paths: parseJson(card.paths) }) ?? [])
    const found = overlaps.filter(overlap => isOf(overlap.agent_id))
    return pageOf(
      found.map(b => ({ b })),
      query,
    )
  }
  const pairs = scopes.pairs().filter(({ a, b }) => isOf(a.agent_id) || isOf(b.agent_id))
  const found = pairs.filter(({ a, b }) => card_id === undefined || a.id === card_id || b.id === card_id)
  return pageOf(
    found.map(pair => ({ a: seenByA(fromOtherSide(pair)), b: seenByA(pair) })),
    query,
  )
}

/** The files that cards are about, and who has reserved which (harness 4, 5). */
export const scopeOperations = {
  check_paths: checkPaths,
  list_overlaps: listOverlaps,
  reserve_paths: reservePaths,
  list_reservations: listReservations,
  release_paths: releasePaths,
}
