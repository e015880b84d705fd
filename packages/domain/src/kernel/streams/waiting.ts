import { parseNullable } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import type { Context } from '../context.ts'
import type { Steps } from '../implement.ts'
import { entriesAfter, lastPosition } from '../log-places.ts'
import { answerOnce, type CheckOutcome, type Wait } from './open-stream.ts'
import { visibilitySignal } from './streams.ts'

/**
 * How many entries of the log are examined to tell whether one of them matters; if there are more, they are assumed to.
 */
const maxSeen = 500

/** The delay before re-checking entries that wait for earlier ones, ms. */
const heldMs = 25

/** The longest time that a timer accepts, ms. */
const maxTimerMs = 2 ** 31 - 1

/** What happened, reduced to what a waiting caller checks. */
export interface Signal {
  readonly actorId: string
  readonly action: string | null
  /** The changed fields of a card; null if the entry is not such a change. */
  readonly fields: readonly string[] | null
  /** Whether it is a comment that asks nothing and mentions nobody. */
  readonly isRemark: boolean
}

async function happenedAfter(db: Db, after: number) {
  const { rows, ...reached } = await entriesAfter(db, after, maxSeen)
  return {
    happened: rows.map(({ actor_id, action, details }): Signal => {
      const data = action === 'card_updated' || action === 'comment_added' ? parseNullable(details) : null
      const fields = action === 'card_updated' ? data?.fields : null
      return {
        actorId: actor_id,
        action,
        fields: Array.isArray(fields) ? (fields as string[]) : null,
        isRemark: action === 'comment_added' && isRemark(data),
      }
    }),
    ...reached,
  }
}

/** The length from which the text of a comment may be truncated in its entry, characters. */
const cutLength = 100

/** Whether an entry shows the whole text of a comment that asks nothing and mentions nobody. */
function isRemark(data: Readonly<Record<string, unknown>> | null): boolean {
  const { comment_type, content } = data ?? {}
  return comment_type === 'text' && typeof content === 'string' && content.length < cutLength && !content.includes('@')
}

/** Actions that give nobody anything to do. */
const quiet =
  /^(attachment|architecture|knowledge|spec_knowledge|ideation_knowledge|refinement_knowledge)_|^(comment_updated|comment_deleted|checkpoint_saved|claim_renewed|card_claimed)$/

/** Fields of a card that affect neither somebody's inbox nor a ready list. */
const quietFields: ReadonlySet<string> = new Set([
  'title',
  'description',
  'details',
  'action_plan',
  'position',
  'screen_mockups',
  'knowledge_bases',
  'steps_to_reproduce',
  'expected_behavior',
  'observed_behavior',
])

/** What gives this waiting caller nothing to do, in addition to what gives nobody anything to do. */
export interface IgnoredChanges {
  readonly happened: (happened: Signal) => boolean
  /** Fields of a card. */
  readonly fields: ReadonlySet<string>
}

const isQuiet = (one: Signal, unheard: IgnoredChanges): boolean =>
  one.action !== null &&
  (quiet.test(one.action) ||
    unheard.happened(one) ||
    (one.fields?.every(field => quietFields.has(field) || unheard.fields.has(field)) ?? false))

/** The result of a check for a waiting caller, and when another check may find more merely because time has passed. */
export interface WaitingCheck<Found> {
  /** Null if nothing was found: the wait continues. */
  readonly found: Found | null
  /** A time of the service's clock, ISO; null if nothing expires. */
  readonly nextAt: string | null
}

/**
 * Checks until something is found, for at most `waitMs`. In between it does not query the database: it checks again
 * when others write on the boards, when what the caller sees changes, and at certain times; the caller's own writes and
 * whatever gives nobody anything to do are ignored (crew 5.1).
 * @throws DomainError BUSY when too many calls wait
 */
export async function waitFor<Found>(
  steps: Steps,
  {
    waitMs,
    boards,
    look,
    unheard,
  }: {
    readonly waitMs: number
    /** What does not trigger another check. */
    readonly unheard: IgnoredChanges
    /** The boards to follow. */
    readonly boards: (ctx: Context) => Promise<readonly string[]>
    readonly look: () => Promise<WaitingCheck<Found>>
  },
): Promise<Found | null> {
  const { environment } = steps
  const { streams } = environment
  const start = await steps.read(async ctx => ({
    position: await lastPosition(ctx.db),
    followed: await boards(ctx),
    agentId: ctx.caller.id,
  }))
  const { agentId } = start
  const ended = environment.workerSigns.waits(agentId, start.followed)
  let { position, followed } = start
  let isFirst = true
  let isDue = false
  let timer: NodeJS.Timeout | undefined

  /** Makes the call check again at a time of the service's clock. */
  const lookAgainAt = (time: string | null): void => {
    clearTimeout(timer)
    isDue = false
    if (time === null) return
    const ms = Math.min(maxTimerMs, Math.max(0, Date.parse(time) - environment.clock()) + 1)
    // A timer may fire a little early: what counts is that it fired.
    timer = setTimeout(() => {
      isDue = true
      streams.entries.notify(agentId)
    }, ms).unref()
  }

  const mayMatter = async (): Promise<boolean> => {
    const batch = await streams.shared.read(`happened after ${position}`, db => happenedAfter(db, position))
    position = batch.position
    // There is no notification when the units of work that later entries wait for have ended.
    if (batch.held) setTimeout(() => streams.entries.notify(agentId), heldMs).unref()
    if (batch.more) return true
    return batch.happened.some(entry => entry.actorId !== agentId && !isQuiet(entry, unheard))
  }

  const changed: Wait = async (ms, signal) => {
    isDue = false
    const end = performance.now() + ms
    const over = new AbortController()
    let isSighted = false
    const sighted = streams.entries.next(visibilitySignal, ms, AbortSignal.any([signal, over.signal]))
    void sighted.then(() => {
      isSighted = true
    })
    try {
      while (!signal.aborted && !isDue) {
        const remaining = Math.max(0, end - performance.now())
        const signalled = streams.entries.next([...followed, agentId, visibilitySignal], remaining, signal)
        if (await mayMatter()) return
        await signalled
        if (isSighted || performance.now() >= end) return
      }
    } finally {
      over.abort()
    }
  }

  const lookAgain = async () => {
    followed = await steps.read(boards)
    return look()
  }

  const looked = async (signal: AbortSignal): Promise<CheckOutcome<Found | null>> => {
    const { found, nextAt } = await (isFirst ? look() : streams.looks.run(signal, lookAgain))
    isFirst = false
    lookAgainAt(nextAt)
    return { answer: found, found: found !== null, more: false }
  }

  try {
    return await answerOnce(steps, { changed, waitMs, look: looked })
  } finally {
    ended()
    clearTimeout(timer)
  }
}
