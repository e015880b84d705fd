import { sql } from 'kysely'
import { boardSettings } from '../../../kernel/board-settings.ts'
import type { Context } from '../../../kernel/context.ts'
import { hot } from '../../../schema/hot.ts'
import { sameBoard } from '../../../schema/same-board.ts'
import type { WaitingItem } from '../rules.ts'
import type { Source } from '../source.ts'
import { isAsked, recordsOf, type Selection } from '../source.ts'
import { responsibilityOfCaller } from './keepers.ts'
import { recordOf, type Step, stepSource } from './steps.ts'

interface Growth {
  id: string
  attempts: number
  /** When work on it first began. */
  begun: string | null
  /** The agent with an active claim on it. */
  holder: string | null
}

const growthOf = hot<Selection & { now: string }, Growth>(
  (_, param) =>
    sql<Growth>`select c.id, c.failed_attempts + c.lost_attempts as attempts,
        (select min(e.created_at) from events e where e.entity_id = c.id and ${sameBoard('e', 'c')} and e.action = 'card_moved') as begun,
        (select k.agent_id from claims k where k.card_id = c.id and ${sameBoard('k', 'c')} and k.expires_at > ${param('now')}) as holder
      from cards c where ${isAsked('c', param)}`,
)

const hourMs = 3_600_000

/**
 * The small changes that take longer or fail more often than their board expects; 0 hours turns the expectation off
 * (crew 6.6).
 */
async function outgrown(ctx: Context, found: readonly WaitingItem[], step: Step): Promise<readonly WaitingItem[]> {
  if (found.length === 0) return found
  const rows = await growthOf(ctx.db, { ...recordsOf(found), now: ctx.now() })
  const growth = new Map(rows.map(row => [row.id, row]))
  const grown: WaitingItem[] = []
  for (const one of found) {
    const row = growth.get(one.record)
    if (row === undefined) continue
    const { small_change_max_hours: hours, small_change_max_attempts: most } = await boardSettings(ctx.db, one.board)
    const isLong = hours > 0 && row.begun !== null && ctx.environment.clock() - Date.parse(row.begun) > hours * hourMs
    if (isLong || row.attempts > most) grown.push(one)
  }
  const claimed = grown.filter(({ record }) => growth.get(record)!.holder !== null)
  const free = grown.filter(item => !claimed.includes(item))
  const own = claimed.filter(({ record }) => growth.get(record)!.holder === ctx.caller.id)
  return [...own, ...(await responsibilityOfCaller(ctx, free, step))]
}

const stepIn = (status: string): Step => ({
  kind: 'card_outgrown',
  about: 'card',
  status,
  where: sql`r.spec_id in (select s.id from specs s where s.board_id = r.board_id and s.standing = 1)`,
  call: { operation: 'promote_card' },
  isFor: outgrown,
})

/**
 * Small changes that have outgrown their board's limits for small changes: for the holder, otherwise for whoever is
 * responsible (crew 6.6).
 */
export const outgrownCards: readonly Source[] = ['started', 'in_progress'].map(stepIn).map(stepSource)

const byId = ['started', 'in_progress'].map(stepIn).map(step => ({ step, find: recordOf(step) }))

/**
 * Whether the caller should promote a card, because it has outgrown its board's limits for small changes (crew 6.6).
 */
export async function isOutgrown(ctx: Context, id: string): Promise<boolean> {
  for (const { step, find } of byId) {
    const found = await find(ctx.db, { id })
    if ((await outgrown(ctx, found, step)).length > 0) return true
  }
  return false
}
