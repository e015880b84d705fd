import { useCallback, useMemo, useState } from 'react'
import type { CardStatus, CardSummary } from '../data/cards.ts'
import { useBulk } from './bulk-context.ts'

/** The selected cards of a board, and what is done with all of them: those that could not be moved stay selected. */
export function useCardSelection(boardId: string, cards: readonly CardSummary[] | undefined) {
  const [selected, select] = useState<ReadonlySet<string>>(new Set())
  const chosen = useMemo(() => (cards ?? []).filter(card => selected.has(card.id)), [cards, selected])
  const bulk = useBulk()
  const toggle = useCallback((id: string) => select(before => before.symmetricDifference(new Set([id]))), [])
  const unselect = (ids: ReadonlySet<string>) => select(before => before.difference(ids))
  const moveAll = async (to: CardStatus, position?: number | undefined) => {
    const all = chosen.map(card => ({ ...card, board_id: boardId }))
    const done = await bulk.move(all, { to, position })
    unselect(new Set(done.map(({ id }) => id)))
  }
  return { selected, select, chosen, toggle, unselect, moveAll }
}
