/** The effects of events of clients: bound and renewed claims, checkpoints, runs (harness 3.2). */
import { hash } from 'node:crypto'
import { readCard } from '../../delivery/card-record/store.ts'
import { recordOnCard } from '../../delivery/card-record/write.ts'
import { storeCheckpoint } from '../../delivery/claims/checkpoint.ts'
import { releaseStoredClaim } from '../../delivery/claims/end.ts'
import { beginRun, finishRun } from '../../delivery/evidence/runs.ts'
import { repositoryAt } from '../../delivery/git/addresses.ts'
import { recordingAllOverlaps } from '../../delivery/scopes/overlaps.ts'
import {
  bindClaim,
  claimsOn,
  endSession,
  type HeldClaim,
  renewByHook,
  sessionsOn,
} from '../../delivery/sessions/store.ts'
import { boardSettings } from '../../kernel/board-settings.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/errors.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import { updateRow } from '../../schema/rows.ts'
import type { ClientSessionsTable, ProofRunsTable } from '../../schema/tables.ts'
import type { Event, Hints, Report } from './event.ts'
import { withMore } from './memory.ts'

/** An event of a session whose row exists. */
interface SessionEvent {
  readonly event: Event
  readonly report: Report
  readonly session: ClientSessionsTable
}

/**
 * The caller's claims on the addressed board that are bound to a session, and those to be bound to it: the one named by
 * a hook, otherwise the only unbound claim of the only live session (harness 3.2, rule 1).
 */
export async function boundOn(
  ctx: Context,
  session: ClientSessionsTable,
  claimed: readonly string[],
): Promise<{ readonly bound: readonly HeldClaim[]; readonly missing?: readonly HeldClaim[] }> {
  const parameters = { agent: ctx.caller.id, board: ctx.boardId, now: ctx.now() }
  const claims = await claimsOn(ctx.db, parameters)
  const bound = claims.filter(claim => claim.session === session.name)
  if (!ctx.access.allows('CARDS_CLAIM')) return { bound }
  const named = new Set(claimed.map(name => name.toUpperCase()))
  const isNamed = ({ ref, card_id }: HeldClaim) => named.has(ref.toUpperCase()) || claimed.includes(card_id)
  const missing = claims.filter(claim => claim.session !== session.name && isNamed(claim))
  if (missing.length > 0) return { bound, missing }
  const free = claims.filter(claim => claim.session === null)
  if (free.length !== 1) return { bound }
  const others = (await sessionsOn(ctx.db, parameters)).filter(({ id }) => id !== session.id)
  return others.length === 0 ? { bound, missing: free } : { bound }
}

/** Whether a session remembers that it worked on the cards that are bound to it, even after they are unbound. */
export function remembersAll({ memory }: ClientSessionsTable, bound: readonly HeldClaim[]): boolean {
  const cards = new Set(parseJson(memory).cards)
  return bound.every(({ card_id }) => cards.has(card_id))
}

/** Binds the claims of an event, and reports the overlaps that begin and end with it. */
async function bind(ctx: Context, { report, session }: SessionEvent): Promise<readonly HeldClaim[]> {
  const { bound, missing } = await boundOn(ctx, session, report.claimed ?? [])
  if (missing !== undefined)
    await recordingAllOverlaps(ctx, ctx.boardId, async () => {
      for (const claim of missing) await bindClaim(ctx.db, claim, session.name)
    })
  const all = [...bound, ...(missing ?? []).map(claim => ({ ...claim, session: session.name }))]
  if (!remembersAll(session, all)) {
    const memory = withMore(parseJson(session.memory), { cards: all.map(({ card_id }) => card_id) })
    await updateRow(ctx.db, 'client_sessions', session.id, { memory: toJson(memory) })
  }
  return all
}

const renewed = async (ctx: Context, bound: readonly HeldClaim[]): Promise<HeldClaim[]> => {
  if (!ctx.access.allows('CARDS_CLAIM')) return [...bound]
  const claims: HeldClaim[] = []
  for (const claim of bound) claims.push(await renewByHook(ctx.db, ctx.now(), claim))
  return claims
}

/** The effects of an event. */
interface EventEffects {
  readonly session: ClientSessionsTable
  readonly bound: readonly HeldClaim[]
  readonly run: string | null
  readonly hints?: Hints
}

/**
 * Applies the effects of an event on the addressed board; those that the caller may not cause are silently left out.
 */
export async function actOn(ctx: Context, happening: SessionEvent): Promise<EventEffects> {
  const { event, report, session } = happening
  if (event === 'session_end') return endOf(ctx, session)
  const bound = await bind(ctx, happening)
  const done = { session, bound, run: null }
  switch (event) {
    case 'session_start':
      return { ...done, bound: await renewed(ctx, bound) }
    case 'stop': {
      const { stop_claim } = await boardSettings(ctx.db, ctx.boardId)
      return stop_claim === 'off' ? done : { ...done, bound: await renewed(ctx, bound) }
    }
    case 'before_shell':
      return { ...done, run: await beginWatched(ctx, report, session, bound) }
    case 'after_shell': {
      const run = await endWatched(ctx, report, session)
      const hints = { endUnknown: run !== null && report.exit_code == null }
      return { ...done, bound: await renewed(ctx, bound), run: run?.id ?? null, hints }
    }
    case 'before_compact':
      if (report.note != null && ctx.access.allows('CARDS_CLAIM'))
        for (const claim of bound) await noteByMachine(ctx, claim.card_id, report.note)
      return done
    default:
      return done
  }
}

/**
 * Ends a session: its claims are unbound, or released if the board is set up for that (harness 3.2, rule 7, rule 8).
 */
async function endOf(ctx: Context, session: ClientSessionsTable): Promise<EventEffects> {
  const { bound } = await boundOn(ctx, session, [])
  const { stop_claim } = await boardSettings(ctx.db, ctx.boardId)
  if (stop_claim === 'release' && ctx.access.allows('CARDS_CLAIM'))
    for (const { card_id } of bound) {
      const card = await readCard(ctx.db, card_id)
      if (card.checkpoint === null)
        await storeCheckpoint(ctx, card, { text: 'The session ended without a checkpoint.', data: null })
      await releaseStoredClaim(ctx, card_id)
    }
  await recordingAllOverlaps(ctx, ctx.boardId, () => endSession(ctx, session))
  return { session, bound: [], run: null }
}

/** Maximum number of bytes of JSON in the data of a checkpoint. */
const maxDataBytes = 2_048

const sizeOf = (data: object): number => Buffer.byteLength(JSON.stringify(data))

/** Stores automatic notes in the checkpoint of a card, next to the agent's own text (harness 3.2, rule 6). */
async function noteByMachine(ctx: Context, cardId: string, note: string): Promise<void> {
  const card = await readCard(ctx.db, cardId)
  const { checkpoint } = card
  const { id: agent_id, name: agent_name } = ctx.caller
  const former = checkpoint ?? { text: '', data: null, agent_id, agent_name, at: ctx.now() }
  const with_ = (text: string) => ({ ...former.data, harness: { note: text, at: ctx.now() } })
  let text = note
  while (sizeOf(with_(text)) > maxDataBytes && text !== '')
    text = text.slice(0, text.length - Math.max(1, Math.ceil((sizeOf(with_(text)) - maxDataBytes) / 6))).toWellFormed()
  const data = with_(text)
  if (sizeOf(data) > maxDataBytes) return
  await updateRow(ctx.db, 'cards', cardId, { checkpoint: toJson({ ...former, data }) })
  await recordOnCard(ctx, card, 'checkpoint_saved', { agent_id, data: { harness: data.harness } })
}

/** The key by which the end of a run is matched: the id of the client's tool call, otherwise the command. */
const keyOf = ({ tool_call, command }: Report, session: ClientSessionsTable): string | null => {
  if (tool_call != null) return `${session.id} call ${hash('sha256', tool_call, 'hex')}`
  return command == null ? null : `${session.id} command ${hash('sha256', command, 'hex')}`
}

const watched = ({ db, caller }: Context, key: string): Promise<ProofRunsTable[]> =>
  db
    .selectFrom('proof_runs')
    .selectAll()
    .where('started_by', '=', caller.id)
    .where('hook_key', '=', key)
    .where('hook_key', 'is not', null)
    .execute()

const hourMs = 3_600_000

/** Starts a proof run for the cards that are bound to the session; null if nothing is watched (harness 3.2, rule 5). */
async function beginWatched(
  ctx: Context,
  report: Report,
  session: ClientSessionsTable,
  bound: readonly HeldClaim[],
): Promise<string | null> {
  const { command, commit, tree, dirty, branch } = report
  const key = keyOf(report, session)
  if (command == null || key === null || bound.length === 0 || !ctx.access.allows('REPORTS_SUBMIT')) return null
  if ((await boardSettings(ctx.db, ctx.boardId)).hook_evidence === 'off') return null
  const [running] = await watched(ctx, key)
  if (running !== undefined) {
    // One run at a time; one whose end was never reported does not block later ones.
    if (Date.parse(ctx.now()) - Date.parse(running.started_at) < hourMs) return null
    await updateRow(ctx.db, 'proof_runs', running.id, { hook_key: null })
  }
  const repository = await repositoryAt(ctx.db, ctx.boardId, report.repository)
  const body = {
    for: bound.slice(0, 50).map(({ card_id }) => card_id),
    command,
    via: 'hook' as const,
    ...(commit != null && { commit }),
    ...(tree != null && { tree }),
    // If it is unknown whether the work tree differs from the commit, it counts as different.
    dirty: dirty ?? true,
    ...(branch != null && branch !== '' && { branch }),
    ...(repository !== null && { repository_id: repository.id }),
  }
  return withoutRefusal(async () => (await beginRun(ctx, body, key)).id)
}

/** Ends the run that a hook started; null if none is watched: an end without a start records nothing. */
async function endWatched(ctx: Context, report: Report, session: ClientSessionsTable): Promise<ProofRunsTable | null> {
  const key = keyOf(report, session)
  if (key === null || !ctx.access.allows('REPORTS_SUBMIT')) return null
  const [run] = await watched(ctx, key)
  if (run === undefined || run.expires_at <= ctx.now()) return null
  const seenMs = Date.parse(ctx.now()) - Date.parse(run.started_at)
  const { exit_code, unknown, duration_ms, output_sha256, output_bytes, output_tail } = report
  const body = {
    ...(exit_code == null ? { unknown: unknown ?? 'not told' } : { exit_code }),
    ...(duration_ms != null && { duration_ms: Math.min(duration_ms, seenMs) }),
    ...(output_sha256 != null && { output_sha256 }),
    ...(output_bytes != null && { output_bytes }),
    ...(output_tail != null && { output_tail }),
    reports_expected: false,
  }
  await withoutRefusal(() => finishRun(ctx, run, body))
  return run
}

/** A write that the board refuses is left out: hooks must never get in the way. */
async function withoutRefusal<Value>(write: () => Promise<Value>): Promise<Value | null> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}
