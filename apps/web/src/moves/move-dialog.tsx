import { useQuery } from '@tanstack/react-query'
import { Dialog } from '../components/dialog.tsx'
import { Failure, RefusalText, RefusalView } from '../components/refusal.tsx'
import type { CardStatus } from '../data/cards.ts'
import { type CardMove, cardMoves, isRefused, refusalOfMove } from '../data/moves.ts'
import { refusalOfDetail } from '../data/refusal.ts'
import { messages } from '../messages/messages.ts'
import type { MovedCard } from './move-context.ts'
import { type Report, ReportForm } from './report-form.tsx'

interface MoveDialogProps {
  readonly card: MovedCard
  readonly to: CardStatus
  /** Why the service refused the move, if it was tried. */
  readonly refused: unknown
  readonly onMove: (report: Report) => Promise<void>
  readonly onClose: () => void
}

const texts = messages.board

/**
 * What prevents a card from moving to a status: each closed gate with what opens it and, once all gates are open, the
 * fields that the move needs. It updates as things change, here and elsewhere.
 */
export default function MoveDialog({ card, to, refused, onMove, onClose }: MoveDialogProps) {
  const { data } = useQuery(cardMoves(card.id))
  const move = data?.moves.find(candidate => candidate.to === to)
  const name = texts.statuses[to]
  return (
    <Dialog title={titleOf(move, card.ref, name)} onClose={onClose}>
      <p className="muted">
        {card.ref} · {card.title}
      </p>
      {move?.state === 'blocked' && <Blockers move={move} />}
      {move?.state === 'forbidden' && <RefusalView refusal={refusalOfMove(move)} />}
      {(move === undefined || !isRefused(move)) && <Failure error={refused} />}
      {move !== undefined && !isRefused(move) && (
        <ReportForm draft={`report:${card.id}`} asks={move.asks} onSubmit={onMove} />
      )}
    </Dialog>
  )
}

function titleOf(move: CardMove | undefined, ref: string, name: string): string {
  if (move === undefined || isRefused(move)) return texts.refusedTitle(ref, name)
  return move.state === 'asks' ? messages.card.report(name) : texts.readyTitle(ref, name)
}

/** Every closed gate of a move, with what opens it. */
function Blockers({ move }: { readonly move: CardMove }) {
  return (
    <div className="scrolls" role="alert">
      <ul className="plain stack">
        {move.blockers.map(blocker => (
          <li key={blocker.error} className="refusal">
            <RefusalText refusal={refusalOfDetail(blocker)} />
          </li>
        ))}
      </ul>
    </div>
  )
}
