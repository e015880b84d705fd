import { BlockingCards } from '../../components/blocking-cards.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import type { CardStatus } from '../../data/cards.ts'
import { useMay } from '../../data/rights.ts'
import { useWaitingCards } from '../../data/workers.ts'
import { messages } from '../../messages/messages.ts'

interface OnBoardProps {
  readonly board: BoardListItem
  /** Whether other boards are shown too, so that each is named. */
  readonly isOfMany: boolean
}

/** Maximum number shown. */
const max = 5

const texts = messages.now

export const TopBlockers = (props: OnBoardProps) => (useMay('ANALYTICS_READ') ? <List {...props} /> : null)

/** The cards that block the most others. */
function List({ board, isOfMany }: OnBoardProps) {
  const { data } = useWaitingCards(board.id)
  const blocking = new Map<string, { readonly ref: string; readonly title: string; readonly status: CardStatus }>()
  const counts = new Map<string, number>()
  for (const blocker of data?.blockers ?? []) {
    if (blocker.type !== 'dependency_blocked') continue
    for (const card of blocker.evidence.blocking_cards) {
      blocking.set(card.id, card)
      counts.set(card.id, (counts.get(card.id) ?? 0) + 1)
    }
  }
  const first = [...counts].sort(([, a], [, b]) => b - a).slice(0, max)
  if (first.length === 0) return null
  return (
    <section aria-label={texts.holdsUp}>
      <h2 className="now-title">
        {texts.holdsUp} {isOfMany && <bdi className="muted">{board.name}</bdi>}
      </h2>
      <BlockingCards
        cards={first.map(([id, count]) => ({ ...blocking.get(id)!, id, count }))}
        boardKey={board.key}
        says={texts.blocks}
      />
    </section>
  )
}
