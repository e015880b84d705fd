import type { CardStatus } from '@specboard/contract'
import type { z } from 'zod'

type Status = z.infer<typeof CardStatus>

/** The rank of a status that a card leaves: a paused or cancelled card starts over (cards 4.2). */
export const rankLeft: Readonly<Record<Status, number>> = {
  not_started: 0,
  on_hold: 0,
  cancelled: 0,
  started: 1,
  in_progress: 2,
  validation: 2,
  done: 3,
}

/** The rank of a status that a card enters; pausing and cancelling have none (cards 4.2). */
const rankEntered: Readonly<Partial<Record<Status, number>>> = {
  not_started: 0,
  started: 1,
  in_progress: 2,
  validation: 2,
  done: 3,
}

const statuses = Object.keys(rankLeft) as Status[]

/** The forward moves, each as its two statuses (cards 4.2). */
export const forwardMoves: readonly (readonly [from: Status, to: Status])[] = statuses.flatMap(from =>
  statuses.filter(to => (rankEntered[to] ?? -1) > rankLeft[from]).map(to => [from, to] as const),
)
