import { type Attempts as AttemptsSchema, defaultBoardSettings } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { blocked, type DomainError } from '../../kernel/errors.ts'
import type { Requester } from '../../kernel/record-gates.ts'
import type { Flag } from '../../schema/columns.ts'
import { sameBoard } from '../../schema/same-board.ts'
import type { CardRecord } from '../card-record/record.ts'

/** How often work on a card has failed (crew 4.6). */
export type Attempts = z.output<typeof AttemptsSchema>

/** The columns of a card that count its attempts. */
type AttemptCounts = Pick<CardRecord, 'failed_attempts' | 'lost_attempts' | 'attempt_limit'>

/**
 * The attempts of a card.
 * @param lostNow whether a claim has expired that nobody has ended yet
 * @param boardLimit the setting `max_attempts` of its board
 */
export function attemptsOf(card: AttemptCounts, lostNow: boolean, boardLimit: number): Attempts {
  const failed = card.failed_attempts
  const lost = card.lost_attempts + (lostNow ? 1 : 0)
  return { used: failed + lost, limit: card.attempt_limit ?? boardLimit, failed, lost }
}

/** Whether no attempt is left. */
export const areUsedUp = ({ used, limit }: Attempts): boolean => limit > 0 && used >= limit

/** The refusal of a claim for work on a card without any attempts left; whoever may change the board is exempt. */
export const attemptsUsedUp = (attempts: Attempts, { access }: Pick<Requester, 'access'>): DomainError | null =>
  areUsedUp(attempts) && !access.allows('BOARDS_UPDATE')
    ? blocked(
        'ATTEMPTS_USED_UP',
        `Work on this card has failed ${attempts.used} times, and no attempt is left. Somebody who may change the board must call allow_attempts, or cancel or promote the card.`,
        { attempts },
      )
    : null

/** The condition for cards `table` whose claim has expired while work was under way, which counts as an attempt. */
export const lostNow = (now: unknown, table = 'c'): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(`${table}.status`)} in ('started', 'in_progress') and exists (select 1 from claims k
    where k.card_id = ${sql.ref(`${table}.id`)} and ${sameBoard('k', table)} and k.stage = 'work' and k.is_attempt = 1 and k.expires_at <= ${now}))`

/** The limit of attempts on the board of cards `table`. */
const boardLimit = (table: string) =>
  sql<number>`(select coalesce(${dialect.jsonNumber(sql.ref<string>('b.settings'), 'max_attempts')},
    ${sql.lit(defaultBoardSettings.max_attempts)}) from boards b where b.id = ${sql.ref(`${table}.board_id`)})`

/** The condition for cards `c` without any attempts left. */
export const usedUp = (now: unknown): RawBuilder<SqlBool> => {
  const used = sql`(c.failed_attempts + c.lost_attempts + case when ${lostNow(now)} then 1 else 0 end)`
  const limit = sql`coalesce(c.attempt_limit, ${boardLimit('c')})`
  return sql<SqlBool>`(${limit} > 0 and ${used} >= ${limit})`
}

/** What the attempts of a card depend on besides its own columns. */
export interface AttemptColumns {
  lost_now: Flag
  max_attempts: number
}

/** The columns from which the attempts of cards `table` are counted, in a query of cards. */
export const withAttempts = (now: unknown, table: string) =>
  [
    sql<Flag>`case when ${lostNow(now, table)} then 1 else 0 end`.as('lost_now'),
    boardLimit(table).as('max_attempts'),
  ] as const
