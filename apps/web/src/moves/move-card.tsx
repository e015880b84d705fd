import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import { announce } from '../components/announcer.tsx'
import { Dialog } from '../components/dialog.tsx'
import { RefusalView } from '../components/refusal.tsx'
import { toast } from '../components/toast.tsx'
import { type CardStatus, type CardSummary, changeCard, refreshCard, refreshCards } from '../data/cards.ts'
import { client } from '../data/client.ts'
import { type AllowedMove, type CardMove, canGoBack, cardMoves } from '../data/moves.ts'
import { type Refusal, refusalOf, refusalOfDetail } from '../data/refusal.ts'
import { messages } from '../messages/messages.ts'
import { type Report, ReportForm } from './report-form.tsx'

/** What a move needs to know of a card. */
export type MovedCard = Pick<CardSummary, 'id' | 'ref' | 'title' | 'status'> & { readonly board_id: string }

/** Moves a card, as far as it may: asks for what the move asks for, explains what blocks it. */
export type MoveCard = (card: MovedCard, to: CardStatus, position?: number) => Promise<void>

const MoveContext = createContext<MoveCard | undefined>(undefined)

export function useMoveCard(): MoveCard {
  const move = useContext(MoveContext)
  if (move === undefined) throw new Error('There is no MoveProvider around this.')
  return move
}

/** What stands between a wish to move a card and the move. */
type Pending =
  | {
      readonly kind: 'asks'
      readonly card: MovedCard
      readonly move: CardMove
      readonly position: number | undefined
    }
  | { readonly kind: 'refused'; readonly card: MovedCard; readonly to: CardStatus; readonly refusal: Refusal }

const { statuses } = messages.board

/** Gives everything inside it a way to move cards; holds the dialogs that a move may need. */
export function MoveProvider({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient()
  const [pending, setPending] = useState<Pending>()

  const perform = useCallback(
    async (card: MovedCard, to: CardStatus, position: number | undefined, report: Report) => {
      const takeBack = changeCard(queries, card.board_id, card.id, {
        status: to,
        position: position === undefined || position === -1 ? Number.MAX_SAFE_INTEGER : position - 0.5,
      })
      try {
        await client.moveCard({
          card_id: card.id,
          target_status: to,
          ...(position !== undefined && { position }),
          ...report,
        })
      } catch (error) {
        takeBack()
        announce(messages.board.notMoved(card.ref))
        throw error
      }
      const says = messages.board.moved(card.ref, statuses[to])
      announce(says)
      const goesBack = await canGoBack('card', card.id, card.status).catch(() => false)
      const undo = () => void client.moveCard({ card_id: card.id, target_status: card.status })
      toast(says, goesBack ? undo : undefined)
      void refreshCards(queries, card.board_id, new Set([card.id]))
      void refreshCard(queries, card)
    },
    [queries],
  )

  const refuse = useCallback((card: MovedCard, to: CardStatus, refusal: Refusal) => {
    announce(messages.board.notMoved(card.ref))
    setPending({ kind: 'refused', card, to, refusal })
  }, [])

  const move = useCallback<MoveCard>(
    async (card, to, position) => {
      if (card.status === to) {
        if (position === undefined) return
        await client.updateCard({ card_id: card.id, position }).catch(error => refuse(card, to, refusalOf(error)))
        return
      }
      try {
        const { moves } = await queries.fetchQuery(cardMoves(card.id))
        const found = moves.find(candidate => candidate.to === to)
        if (found?.state === 'asks') return setPending({ kind: 'asks', card, move: found, position })
        if (found?.state === 'blocked' || found?.state === 'forbidden') return refuse(card, to, refusalOfMove(found))
        await perform(card, to, position, {})
      } catch (error) {
        refuse(card, to, refusalOf(error))
      }
    },
    [queries, perform, refuse],
  )

  const close = () => setPending(undefined)
  const value = useMemo(() => move, [move])
  return (
    <MoveContext value={value}>
      {children}
      {pending?.kind === 'refused' && (
        <Dialog title={messages.board.refusedTitle(pending.card.ref, statuses[pending.to])} onClose={close}>
          <RefusalView refusal={pending.refusal} />
        </Dialog>
      )}
      {pending?.kind === 'asks' && (
        <Dialog title={messages.card.report(statuses[pending.move.to])} onClose={close}>
          <p className="muted">
            {pending.card.ref} · {pending.card.title}
          </p>
          <ReportForm
            asks={pending.move.asks}
            onSubmit={report => perform(pending.card, pending.move.to, pending.position, report).then(close)}
          />
        </Dialog>
      )}
    </MoveContext>
  )
}

/** What a move that is not allowed lacks, as one refusal. */
export function refusalOfMove({ state, blockers, permission }: AllowedMove): Refusal {
  if (state === 'forbidden')
    return { message: messages.board.forbidden(permission ?? ''), missing: [], heldBy: [], nextActions: [] }
  const refusals = blockers.map(blocker => refusalOfDetail(blocker))
  return {
    message: refusals.map(({ message }) => message).join(' '),
    missing: refusals.flatMap(({ missing }) => missing),
    heldBy: [],
    nextActions: refusals.flatMap(({ nextActions }) => nextActions),
  }
}
