/** report_hook: processes the events that clients' hooks report, and answers them (harness 3.2). */
import { type features, HookEvent } from '@specboard/contract'
import { beginSession, endSession, findSession, type HeldClaim } from '../../delivery/sessions/store.ts'
import type { Context, Environment } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { multiStep, type Steps } from '../../kernel/implement.ts'
import type { ClientSessionsTable } from '../../schema/tables.ts'
import { contextOf, type EventAnswer } from './contexts.ts'
import { actOn, boundOn, remembersAll } from './deeds.ts'
import type { Answer, AtEvent, Event, Hints, Report } from './event.ts'
import { keepMemory } from './memory.ts'
import { HookPace } from './pace.ts'

type ReportHook = typeof features.harness.report_hook

const paces = new WeakMap<Environment, HookPace>()

function paceOf(environment: Environment): HookPace {
  const existing = paces.get(environment)
  if (existing !== undefined) return existing
  const pace = new HookPace()
  paces.set(environment, pace)
  return pace
}

/** A context of the same unit of work on a board, with the caller's access there. */
async function atBoard(ctx: Context, board: string): Promise<Context> {
  const { record, access } = await ctx.reach('board', board)
  return ctx.as(ctx.caller, { target: record, way: access.way, records: { board_id: record } })
}

/** The id of the board named for a folder, by its id or key; null if it names none (harness 3.1). */
async function boardNamed(ctx: Context, name: string | null | undefined): Promise<string | null> {
  if (name == null || !isBoardKey(name)) return name ?? null
  const key = name.toUpperCase()
  const found = await ctx.db.selectFrom('boards').select('id').where('key', '=', key).executeTakeFirst()
  return found?.id ?? name
}

const isBoardKey = (name: string): boolean => /^[A-Za-z][A-Za-z0-9]{1,9}$/.test(name)

/** Events that change nothing on their own: if the session is known and nothing has to be bound, nothing is written. */
const quiet: ReadonlySet<Event> = new Set(['prompt', 'before_edit', 'subagent_start', 'subagent_stop'])

/** How long a session may be silent before its last event is stored again, ms. */
const freshMs = 30_000

/** The facts about the session in an event; those not sent stay unchanged. */
function factsOf({ client, client_version, model, subagent, repository, branch, commit, worktree }: Report) {
  const facts = {
    client,
    client_version,
    // A subagent may run another model than its session.
    model: subagent == null ? model : undefined,
    worktree: worktree?.name,
    worktree_hash: worktree?.hash,
    repository,
    branch,
    commit_sha: commit,
  }
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value != null))
}

type Facts = ReturnType<typeof factsOf>

const isFresh = (session: ClientSessionsTable, facts: Facts, board: string | null, now: string): boolean =>
  session.expires_at > now &&
  Date.parse(now) - Date.parse(session.last_event_at) < freshMs &&
  (board === null || session.board_id === board) &&
  Object.entries(facts).every(([name, value]) => session[name as keyof ClientSessionsTable] === value)

const nothing: Answer = { context: null, deny: null, message: null, claims: [], run_id: null, wait_s: 0, told: [] }

const waits: Partial<Record<Event, number>> = { prompt: 15 }

/** report_hook (harness 3.2). */
export const reportHook = multiStep<ReportHook>(async ({ params, body }, steps) => {
  const { data: event } = HookEvent.safeParse(params.event)
  if (event === undefined) throw notFound('hook_event', params.event)
  const facts = factsOf(body)
  /** The result, if it is known without a write; undefined if something has to be written. */
  const quickEffect = await steps.read(async (ctx): Promise<EventEffect | undefined> => {
    paceOf(ctx.environment).count(ctx.caller.id, ctx.environment.clock())
    const named = await boardNamed(ctx, body.board_id)
    if (named !== null) await ctx.reach('board', named)
    const session = await findSession(ctx, body.session)
    if (!quiet.has(event) || session === undefined || !isFresh(session, facts, named, ctx.now())) return undefined
    const board = named ?? (await seenBoard(ctx, session.board_id))
    if (board === null) return { session, board, bound: [], run: null }
    const there = await atBoard(ctx, board)
    const { bound, missing } = await boundOn(there, session, body.claimed ?? [])
    return missing === undefined && remembersAll(session, bound) ? { session, board, bound, run: null } : undefined
  })
  const effect =
    quickEffect ??
    (await steps.write(async (ctx): Promise<EventEffect> => {
      const named = await boardNamed(ctx, body.board_id)
      if (named !== null) await ctx.reach('board', named)
      const session = await beginSession(ctx, { board: named, name: body.session, facts })
      const board = named ?? (await seenBoard(ctx, session.board_id))
      if (board === null && event === 'session_end') await endSession(ctx, session)
      if (board === null) return { session, board, bound: [], run: null }
      return { board, ...(await actOn(await atBoard(ctx, board), { event, report: body, session })) }
    }))

  const { board, session, bound, run } = effect
  if (board === null) return nothing
  const answer = await tell(steps, board, { event, report: body, session, bound }, effect.hints)
  return {
    context: answer.context,
    deny: answer.deny ?? null,
    message: null,
    claims: bound.map(({ ref, stage, expires_at }) => ({ ref, stage, until: expires_at })),
    run_id: run,
    wait_s: waits[event] ?? 0,
    told: [...(answer.told ?? [])],
  }
})

/** How often what to tell a session is chosen anew because it was told something at the same time. */
const maxChoices = 5

/** Chooses what to tell a session, and remembers it: of hooks that report at once, one is told. */
async function tell(
  steps: Steps,
  board: string,
  at: Omit<AtEvent, 'access'>,
  hints: Hints | undefined,
): Promise<EventAnswer> {
  for (let choices = 1; ; choices++) {
    const { session, answer } = await steps.read(async ctx => {
      const there = await atBoard(ctx, board)
      const session = (await findSession(ctx, at.session.name)) ?? at.session
      return { session, answer: await contextOf(there, { ...at, session, access: there.access }, hints) }
    })
    const { memory } = answer
    if (memory === undefined || choices === maxChoices) return answer
    if (await steps.write(ctx => keepMemory(ctx, session, memory))) return answer
  }
}

/** The effect of an event. */
interface EventEffect {
  readonly session: ClientSessionsTable
  readonly board: string | null
  readonly bound: readonly HeldClaim[]
  /** The proof run that it started or ended. */
  readonly run: string | null
  readonly hints?: Hints
}

/** The last board that a session worked on, if the caller still sees it. */
async function seenBoard(ctx: Context, board: string | null): Promise<string | null> {
  if (board === null) return null
  return (await ctx.ways()).some(way => way.boardId === board) ? board : null
}
