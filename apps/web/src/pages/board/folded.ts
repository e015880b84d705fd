import { useCallback, useMemo, useState } from 'react'
import { useIsNarrow } from '../../components/narrow.ts'
import { type CardStatus, type CardSummary, cardStatuses } from '../../data/cards.ts'
import { type CardFact, useDisplay } from './display.ts'

interface Folding {
  readonly facts: ReadonlySet<CardFact>
  readonly folded: ReadonlySet<CardStatus>
  /** The columns that were unfolded manually. */
  readonly unfolded: ReadonlySet<CardStatus>
  setFolded(status: CardStatus, isFolded: boolean): void
  /** Unfolds a column while something is dragged. */
  peek(status: CardStatus): void
}

/**
 * The folded columns: those without a card on the whole board, regardless of filters, and the cancelled one. A board
 * without cards shows all columns, so that people see the workflow; a phone shows one at a time and folds none.
 */
export function useFolded(cards: readonly CardSummary[] | undefined, isDragging: boolean): Folding {
  const { foldsEmpty, foldsCancelled, facts } = useDisplay()
  const isNarrow = useIsNarrow()
  const [unfolded, setUnfolded] = useState<ReadonlySet<CardStatus>>(new Set())
  const [peeked, setPeeked] = useState<ReadonlySet<CardStatus>>(new Set())
  if (!isDragging && peeked.size > 0) setPeeked(new Set())
  const setFolded = useCallback(
    (status: CardStatus, isFolded: boolean) =>
      setUnfolded(before =>
        isFolded ? new Set([...before].filter(each => each !== status)) : new Set([...before, status]),
      ),
    [],
  )
  const peek = useCallback((status: CardStatus) => setPeeked(before => new Set([...before, status])), [])
  const filled = [...new Set((cards ?? []).map(({ status }) => status))].sort().join(' ')
  const folded = useMemo(() => {
    if (isNarrow || filled === '') return new Set<CardStatus>()
    const has = filled.split(' ')
    return new Set(
      cardStatuses.filter(
        status =>
          status !== 'not_started' &&
          !unfolded.has(status) &&
          !peeked.has(status) &&
          ((foldsEmpty && !has.includes(status)) || (foldsCancelled && status === 'cancelled')),
      ),
    )
  }, [isNarrow, filled, unfolded, peeked, foldsEmpty, foldsCancelled])
  return { facts, folded, unfolded, setFolded, peek }
}
