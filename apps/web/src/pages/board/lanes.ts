import { type CardStatus, type CardSummary, cardPriorities } from '../../data/card-list.ts'

/** What the lanes of a board group by. */
export const laneKinds = ['none', 'spec', 'sprint', 'assignee'] as const
export type LaneKind = (typeof laneKinds)[number]

export const isLaneKind = (text: string | null): text is LaneKind => laneKinds.some(kind => kind === text)

/** The orders of the cards in a column. */
export const cardOrders = ['hand', 'priority', 'due', 'updated'] as const
export type CardOrder = (typeof cardOrders)[number]

export const isCardOrder = (text: string | null): text is CardOrder => cardOrders.some(order => order === text)

/** A lane with its cards in columns; the one without an id holds the cards without a value. */
export interface Lane {
  readonly id: string | null
  readonly columns: ReadonlyMap<CardStatus, readonly CardSummary[]>
  readonly count: number
}

const laneOf: Readonly<Record<LaneKind, (card: CardSummary) => string | null>> = {
  none: () => null,
  spec: card => card.spec_id,
  sprint: card => card.sprint_id,
  assignee: card => card.assignee_id,
}

const byPosition = (a: CardSummary, b: CardSummary): number => a.position - b.position

const importance = new Map(cardPriorities.map((priority, index) => [priority, index]))

const dueAt = ({ due_date }: CardSummary): number => (due_date === null ? Infinity : Date.parse(due_date))

/** Equal cards keep the order of their positions. */
const comparing: Readonly<Record<CardOrder, (a: CardSummary, b: CardSummary) => number>> = {
  hand: byPosition,
  priority: (a, b) => importance.get(a.priority)! - importance.get(b.priority)! || byPosition(a, b),
  due: (a, b) => (dueAt(a) === dueAt(b) ? byPosition(a, b) : dueAt(a) - dueAt(b)),
  updated: (a, b) => b.updated_at.localeCompare(a.updated_at) || byPosition(a, b),
}

/** Groups cards into lanes and columns. Lanes are in the order of their first card, the one without a value last. */
export function lanesOf(cards: readonly CardSummary[], kind: LaneKind, order: CardOrder = 'hand'): readonly Lane[] {
  const byLane = Map.groupBy(cards, laneOf[kind])
  const lanes = [...byLane].map(([id, ofLane]) => ({ id, columns: columnsOf(ofLane, order), count: ofLane.length }))
  return lanes.sort((a, b) => Number(a.id === null) - Number(b.id === null))
}

function columnsOf(cards: readonly CardSummary[], order: CardOrder): Map<CardStatus, readonly CardSummary[]> {
  const columns = Map.groupBy(cards, card => card.status)
  for (const column of columns.values()) column.sort(comparing[order])
  return columns
}

/** The lanes, reusing the former columns that hold the same cards, so that these are not rendered again. */
export function withUnchanged(before: readonly Lane[], now: readonly Lane[]): readonly Lane[] {
  const previous = new Map(before.map(lane => [lane.id, lane]))
  return now.map(lane => {
    const old = previous.get(lane.id)
    if (old === undefined) return lane
    const columns = new Map(
      [...lane.columns].map(([status, cards]) => [status, unchanged(old.columns.get(status), cards)] as const),
    )
    const isSame =
      columns.size === old.columns.size && [...columns].every(([status, cards]) => old.columns.get(status) === cards)
    return isSame ? old : { ...lane, columns }
  })
}

const unchanged = <T>(before: readonly T[] | undefined, now: readonly T[]): readonly T[] =>
  before?.length === now.length && before.every((card, index) => card === now[index]) ? before : now
