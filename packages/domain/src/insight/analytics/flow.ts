/** How many cards had each status over time: the rules of get_flow_analytics (insight B.16). */
import { CardStatus } from '@specboard/contract'
import { ascending, ranked } from './ranking.ts'

type Status = (typeof CardStatus.options)[number]

/** Cards that came on one day and have not moved since the window began. */
export interface StillCards {
  readonly status: Status
  /** The day they came; empty when they were there before the window. */
  readonly day: string
  readonly cards: number
}

/** A card that moved, or that an import brought, since the window began. */
export interface MovedCard {
  readonly id: string
  readonly status: Status
  /** When it came to the board. */
  readonly came_at: string
}

/** A change of a card's status. */
export interface Move {
  readonly card_id: string
  readonly at: string
  readonly from_status: Status
  readonly to_status: Status
}

/** How many cards have each status. */
export type StatusCounts = Record<Status, number>

/**
 * The status that a card had at a time, by its moves in order of time; undefined before it came. What it has now counts
 * after the last of them, whatever that says: a status may have changed where no entry tells of it.
 */
export function statusAt({ status, came_at }: MovedCard, moves: readonly Move[], time: string): Status | undefined {
  if (time < came_at) return undefined
  const next = moves.find(({ at }) => at > time)
  return next === undefined ? status : next.from_status
}

/** How many cards had each status at each of some times. */
export function statusesAt(
  times: readonly string[],
  still: readonly StillCards[],
  moved: readonly MovedCard[],
  moves: readonly Move[],
): StatusCounts[] {
  const movesOf = Map.groupBy(moves, ({ card_id }) => card_id)
  const counted = times.map(() => Object.fromEntries(CardStatus.options.map(status => [status, 0])) as StatusCounts)
  for (const [index, time] of times.entries())
    for (const { status, day, cards } of still) if (day <= time.slice(0, 10)) counted[index]![status] += cards
  for (const card of moved) {
    const own = ranked(
      movesOf.get(card.id) ?? [],
      ascending(({ at }) => at),
    )
    for (const [index, time] of times.entries()) {
      const status = statusAt(card, own, time)
      if (status !== undefined) counted[index]![status]++
    }
  }
  return counted
}
