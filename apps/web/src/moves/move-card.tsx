import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { announce } from '../components/announcer.tsx'
import { opening } from '../components/part.tsx'
import { toast } from '../components/toast.tsx'
import { type CardStatus, changeCard, refreshCard, refreshCards, shownColumnOf } from '../data/cards.ts'
import { client } from '../data/client.ts'
import { canGoBack, cardMoves, isRefused, makeMove, refreshRelated } from '../data/moves.ts'
import { useLoadedAhead } from '../later.ts'
import { messages } from '../messages/messages.ts'
import { BulkProvider } from './bulk-provider.tsx'
import { type MoveCard, MoveContext, type MovedCard } from './move-context.ts'
import type { Report } from './report-form.tsx'

const MoveDialog = opening(() => import('./move-dialog.tsx'))

/** A move that could not be made at once. */
interface Pending {
  readonly card: MovedCard
  readonly to: CardStatus
  readonly position: number | undefined
  /** Why the service refused it, if it was tried. */
  readonly refused: unknown
}

const { statuses } = messages.board

/** Provides card moves to its children; shows the dialog that a move may need. */
export function MoveProvider({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient()
  const [pending, setPending] = useState<Pending>()
  useLoadedAhead(MoveDialog)

  const perform = useCallback(
    async (card: MovedCard, to: CardStatus, position: number | undefined, report: Report) => {
      const takeBack = changeCard(queries, card.board_id, card.id, {
        status: to,
        position: position === undefined || position === -1 ? Number.MAX_SAFE_INTEGER : position - 0.5,
      })
      try {
        await makeMove(queries, {
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
      const undo = () => client.moveCard({ card_id: card.id, target_status: card.status })
      toast(says, goesBack ? undo : undefined)
      void refreshCards(queries, card.board_id, new Set([card.id]))
      void refreshCard(queries, card)
    },
    [queries],
  )

  const move = useCallback<MoveCard>(
    async (card, to, position) => {
      const explain = (refused?: unknown) => {
        announce(messages.board.notMoved(card.ref))
        setPending({ card, to, position, refused })
      }
      try {
        if (card.status === to) {
          if (position !== undefined) await reorder(queries, card, position)
          return
        }
        const { moves } = await queries.fetchQuery(cardMoves(card.id))
        const found = moves.find(candidate => candidate.to === to)
        if (found?.state === 'asks') return setPending({ card, to, position, refused: undefined })
        if (found !== undefined && isRefused(found)) return explain()
        await perform(card, to, position, {})
      } catch (error) {
        void refreshRelated(queries)
        explain(error)
      }
    },
    [queries, perform],
  )

  const close = () => setPending(undefined)
  return (
    <MoveContext value={move}>
      <BulkProvider>{children}</BulkProvider>
      {pending !== undefined && (
        <MoveDialog
          {...pending}
          onMove={report => perform(pending.card, pending.to, pending.position, report).then(close)}
          onClose={close}
        />
      )}
    </MoveContext>
  )
}

/**
 * Moves a card within its column, with Undo, which puts it before the card that used to follow it, wherever that is by
 * then.
 */
async function reorder(queries: QueryClient, { id, ref, board_id }: MovedCard, position: number) {
  const column = () => shownColumnOf(queries, board_id, id)
  const moveTo = async (at: number) => {
    await client.updateCard({ card_id: id, position: at })
    await refreshCards(queries, board_id, new Set([id]))
  }
  const before = column()
  const followed = before.slice(before.findIndex(card => card.id === id) + 1)
  await moveTo(position)
  toast(messages.board.reordered(ref), () => {
    const next = followed.flatMap(({ id }) => column().find(card => card.id === id) ?? [])[0]
    return moveTo(next?.position ?? -1)
  })
}
