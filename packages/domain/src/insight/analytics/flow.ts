/** How many cards had each status over time: the rules of get_flow_analytics (insight B.16). */
import { CardStatus } from '@specboard/contract'
import { ascending, ranked } from './ranking.ts'

type Status = (typeof CardStatus.options)[number]

/** Cards that came to the board on the same day and have not moved since the window began. */
export interface StillCards {
  readonly status: Status
  /** The day on which they came; empty if they were there before the window. */
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

/** A status of a card, and when it entered that status. */
interface StatusPeriod {
  readonly status: Status
  readonly since: string
}

/**
 * The statuses that a card had, by its moves in chronological order. After the last move its current status counts,
 * because a status may have changed without an entry.
 */
export function statusPeriodsOf({ status, came_at }: MovedCard, moves: readonly Move[]): StatusPeriod[] {
  const starts = [came_at, ...moves.map(({ at }) => (at < came_at ? came_at : at))]
  return starts.map((since, index) => ({ since, status: moves[index]?.from_status ?? status }))
}

/** The index of the first of some sorted times that is not before the given time; their number if all are before it. */
function placeOf(times: readonly string[], time: string): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! < time) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * How many cards had each status at each of some sorted times; a card counts from the beginning of its stay in a
 * status.
 */
export function statusesAt(
  times: readonly string[],
  still: readonly StillCards[],
  moved: readonly MovedCard[],
  moves: readonly Move[],
): StatusCounts[] {
  const none = () => Object.fromEntries(CardStatus.options.map(status => [status, 0])) as StatusCounts
  const deltas = [...times.map(none), none()]
  for (const { status, day, cards } of still) deltas[placeOf(times, day)]![status] += cards
  const movesOf = Map.groupBy(moves, ({ card_id }) => card_id)
  for (const card of moved) {
    const own = ranked(
      movesOf.get(card.id) ?? [],
      ascending(({ at }) => at),
    )
    let before: Status | undefined
    for (const { status, since } of statusPeriodsOf(card, own)) {
      const counts = deltas[placeOf(times, since)]!
      if (before !== undefined) counts[before]--
      counts[status]++
      before = status
    }
  }
  const counts = none()
  return deltas.slice(0, times.length).map(changes => {
    for (const status of CardStatus.options) counts[status] += changes[status]
    return { ...counts }
  })
}
