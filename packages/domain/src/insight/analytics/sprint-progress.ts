/** The rules of get_sprint_progress (insight B.18). */
import type { SprintRisk } from '@specboard/contract'
import type { z } from 'zod'
import type { Change } from '../../schema/contents.ts'
import type { WaitingCard } from './blockers.ts'
import { hoursBetween, oneDecimal } from './measures.ts'

type Risk = z.output<typeof SprintRisk>

/** A card that is or was in a sprint. */
export interface ScopeCard {
  readonly id: string
  readonly status: WaitingCard['status']
  readonly moved_at: string
  /** When it came to the board. */
  readonly came_at: string
}

/** An entry of a sprint's log: cards that came into it, or that left it. */
export interface ScopeChange {
  readonly at: string
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** An entry of a card's log: an update of it. */
export interface CardUpdate {
  readonly at: string
  readonly card_id: string
  readonly changes: readonly Change[]
}

/** The changes of a sprint's scope that an update of a card made. */
export const scopeChangesOf = (sprintId: string, { at, card_id, changes }: CardUpdate): ScopeChange[] =>
  changes.flatMap(({ field, old, new: now }) => {
    const isOf = (id: unknown): string[] => (id === sprintId ? [card_id] : [])
    return field === 'sprint_id' ? [{ at, added: isOf(now), removed: isOf(old) }] : []
  })

/** A period in which a card was in a sprint; `left` is null if it still is. */
interface SprintPeriod {
  readonly came: string
  readonly left: string | null
}

/**
 * The periods in which a card was in a sprint, according to the log in chronological order. A card that was put in
 * without an entry counts from when it came to the board.
 */
export function sprintPeriodsOf(
  { id, came_at }: ScopeCard,
  isMember: boolean,
  changes: readonly ScopeChange[],
): SprintPeriod[] {
  const stays: SprintPeriod[] = []
  let came: string | null = null
  for (const { at, added, removed } of changes) {
    if (added.includes(id)) came = at
    if (!removed.includes(id)) continue
    stays.push({ came: came ?? came_at, left: at })
    came = null
  }
  return isMember ? [...stays, { came: came ?? came_at, left: null }] : stays
}

/** The scope of a sprint at a time, and the part that was done by then and still is. */
export interface ScopeCounts {
  readonly scope: number
  readonly done: number
}

/** The scope of a sprint at each of some times; a cancelled card counts until it was cancelled. */
export function scopeAt(
  times: readonly string[],
  cards: readonly ScopeCard[],
  members: ReadonlySet<string>,
  changes: readonly ScopeChange[],
): ScopeCounts[] {
  const within = cards.map(card => ({ card, stays: sprintPeriodsOf(card, members.has(card.id), changes) }))
  return times.map(time => {
    const inScope = within.filter(
      ({ card, stays }) =>
        stays.some(({ came, left }) => came <= time && (left === null || left > time)) &&
        !(card.status === 'cancelled' && card.moved_at <= time),
    )
    return {
      scope: inScope.length,
      done: inScope.filter(({ card }) => card.status === 'done' && card.moved_at <= time).length,
    }
  })
}

/** The fields of an open card of a sprint that matter for risks. */
export interface OpenCard {
  readonly id: string
  readonly title: string
  readonly status: WaitingCard['status']
  readonly created_at: string
  readonly claimed: number
  readonly refusals: number
}

/** The figures from which risks are determined. */
export interface RiskMeasures {
  readonly now: string
  /** The hours until the planned end; null unless the sprint is in its last part. */
  readonly hoursLeft: number | null
  /** The cycle hours that 85 % of the cards did not exceed; null without enough cards. */
  readonly p85: number | null
}

/** The minimum length of the last part of a sprint, hours. */
const minHours = 48

/** The fraction of a sprint that counts as its last part. */
const lastPart = 0.25

/** The hours until the end of a sprint, negative after it; null before its last part, or if it has no end. */
export function hoursLeftOf(start: string, end: string | null, now: string): number | null {
  if (end === null) return null
  const remaining = hoursBetween(now, end)
  return remaining <= Math.max(minHours, hoursBetween(start, end) * lastPart) ? remaining : null
}

/** The number of failed validations from which a card counts as refused often. */
const oftenRefused = 2

/** Why a card may not be finished in time; empty if there is no such sign. */
export function risksOf(card: OpenCard, waits: readonly WaitingCard[], { now, hoursLeft, p85 }: RiskMeasures): Risk[] {
  const age = hoursBetween(card.created_at, now)
  const blocking_cards = waits.map(row => ({
    id: row.blocking_id,
    ref: row.blocking_ref,
    title: row.blocking_title,
    status: row.blocking_status,
  }))
  const isStarted = card.status !== 'not_started'
  return [
    ...(blocking_cards.length > 0 ? [{ type: 'dependency_blocked' as const, blocking_cards }] : []),
    ...(card.status === 'on_hold' ? [{ type: 'on_hold' as const }] : []),
    ...(isStarted && p85 !== null && age > p85
      ? [{ type: 'ageing' as const, age_hours: oneDecimal(age), p85_hours: oneDecimal(p85) }]
      : []),
    ...(card.refusals >= oftenRefused ? [{ type: 'refused' as const, refusals: card.refusals }] : []),
    ...(!isStarted && card.claimed === 0 && hoursLeft !== null
      ? [{ type: 'unclaimed' as const, hours_left: oneDecimal(hoursLeft) }]
      : []),
  ]
}
