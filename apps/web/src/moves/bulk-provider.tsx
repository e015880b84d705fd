import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { announce } from '../components/announcer.tsx'
import { opening } from '../components/part.tsx'
import { toast } from '../components/toast.tsx'
import { makeMove } from '../data/moves.ts'
import { messages } from '../messages/messages.ts'
import { type BulkMove, canAllGoBack, moveEach, type Outcome, onEach, refreshAll } from './bulk.ts'
import { type Bulk, BulkContext } from './bulk-context.ts'
import type { MovedCard } from './move-context.ts'

const BulkDialog = opening(() => import('./bulk-dialog.tsx'))

/** An action on several cards that did not succeed for all of them. */
interface UnfinishedAction {
  readonly outcome: Outcome
  readonly move: BulkMove | undefined
  /** Called with the changed cards when the person has closed the dialog. */
  readonly onClose: (done?: readonly MovedCard[]) => void
}

const texts = messages.board.bulk

/** Provides actions on several cards to its children, and shows their result. */
export function BulkProvider({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient()
  const [unfinished, setUnfinished] = useState<UnfinishedAction>()

  const bulk = useMemo<Bulk>(() => {
    const settle = async (
      cards: readonly MovedCard[],
      outcome: Outcome,
      move: BulkMove | undefined,
      undo: ((card: MovedCard) => Promise<unknown>) | undefined,
    ): Promise<readonly MovedCard[]> => {
      await refreshAll(queries, cards)
      const { done } = outcome
      if (done.length === cards.length) {
        const says = move === undefined ? texts.changed(done.length) : texts.moved(done.length, move.to)
        announce(says)
        toast(says, undo && (() => takeBack(done, undo)))
        return done
      }
      announce(texts.notAll(done.length, cards.length))
      const { promise, resolve } = Promise.withResolvers<readonly MovedCard[]>()
      setUnfinished({
        outcome,
        move,
        onClose(all = done) {
          setUnfinished(undefined)
          resolve(all)
        },
      })
      return promise
    }
    const takeBack = async (cards: readonly MovedCard[], undo: (card: MovedCard) => Promise<unknown>) => {
      await settle(cards, await onEach(cards, undo), undefined, undefined)
    }
    return {
      async move(cards, move) {
        const away = move.position === undefined ? cards.filter(({ status }) => status !== move.to) : cards
        const there = cards.filter(card => !away.includes(card))
        if (away.length === 0) {
          toast(texts.allThere(cards.length, move.to))
          return there
        }
        toast(texts.moving(away.length))
        const outcome = await moveEach(queries, away, move)
        const goesBack = outcome.done.length === away.length && (await canAllGoBack(outcome.done))
        const undo = ({ id, status }: MovedCard) => makeMove(queries, { card_id: id, target_status: status })
        return [...there, ...(await settle(away, outcome, move, goesBack ? undo : undefined))]
      },
      async change(cards, { change, undo }) {
        const own = new Map<MovedCard, (typeof cards)[number]>(cards.map(card => [card, card]))
        return settle(cards, await onEach(cards, card => change(own.get(card)!)), undefined, card =>
          undo(own.get(card)!),
        )
      },
    }
  }, [queries])

  return (
    <BulkContext value={bulk}>
      {children}
      {unfinished !== undefined && <BulkDialog {...unfinished} />}
    </BulkContext>
  )
}
