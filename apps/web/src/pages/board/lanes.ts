import type { CardStatus, CardSummary } from '../../data/cards.ts'

/** What the lanes of a board stand for. */
export const laneKinds = ['none', 'spec', 'sprint', 'assignee'] as const
export type LaneKind = (typeof laneKinds)[number]

export const isLaneKind = (text: string | null): text is LaneKind => laneKinds.some(kind => kind === text)

/** A lane with its cards in columns; without an id it holds the cards that have no such thing. */
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

/** Sorts cards into lanes and columns. Lanes come in the order of their first card, the one without a value last. */
export function lanesOf(cards: readonly CardSummary[], kind: LaneKind): readonly Lane[] {
  const byLane = Map.groupBy(cards, laneOf[kind])
  const lanes = [...byLane].map(([id, ofLane]) => ({ id, columns: columnsOf(ofLane), count: ofLane.length }))
  return lanes.sort((a, b) => Number(a.id === null) - Number(b.id === null))
}

function columnsOf(cards: readonly CardSummary[]): Map<CardStatus, readonly CardSummary[]> {
  const columns = Map.groupBy(cards, card => card.status)
  for (const column of columns.values()) column.sort((a, b) => a.position - b.position)
  return columns
}

/** The lanes, with the columns of before where they hold the same cards, so that these are not drawn again. */
export function withUnchanged(before: readonly Lane[], now: readonly Lane[]): readonly Lane[] {
  const known = new Map(before.map(lane => [lane.id, lane]))
  return now.map(lane => {
    const old = known.get(lane.id)
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
