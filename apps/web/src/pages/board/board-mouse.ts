import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'
import type { CardSummary } from '../../data/cards.ts'
import { prefetchMoves } from '../../data/moves.ts'
import type { BoardView } from './board-context.ts'
import type { DraggedCard } from './drag.ts'

/** The card tile that contains an event's target. */
const tileAt = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-card]') : null

/** Whether a click on a link is meant for another tab or window. */
const isForElsewhere = ({ ctrlKey, metaKey, shiftKey, altKey, button }: MouseEvent): boolean =>
  ctrlKey || metaKey || shiftKey || altKey || button !== 0

/** Makes a card draggable; returns a function that ends it and leaves the tile ready for the next time. */
function takeUp(tile: HTMLElement, card: CardSummary): () => void {
  const end = draggable({ element: tile, getInitialData: (): DraggedCard => ({ kind: 'card', card }) })
  return () => {
    end()
    tile.setAttribute('draggable', 'true')
  }
}

/**
 * The mouse handling of a board's cards, with one listener for all of them: a click anywhere on a card opens it, and a
 * pressed one can be dragged.
 */
export function useBoardMouse(
  root: RefObject<HTMLElement | null>,
  cards: readonly CardSummary[],
  view: BoardView,
): void {
  const queries = useQueryClient()
  const current = useRef({ cards, view })
  current.current = { cards, view }
  useEffect(() => {
    const element = root.current
    let putDown = () => {}
    const onPointerDown = ({ target, pointerType }: PointerEvent) => {
      const tile = tileAt(target)
      const card = current.current.cards.find(({ id }) => id === tile?.dataset.card)
      if (tile === null || card === undefined) return
      putDown()
      putDown = () => {}
      // Touch has its own handling (board-touch.ts), with which the browser's would interfere.
      if (pointerType === 'touch') return tile.setAttribute('draggable', 'false')
      putDown = takeUp(tile, card)
      prefetchMoves(queries, card.id)
    }
    const onClick = (event: MouseEvent) => {
      const tile = tileAt(event.target)
      const ref = tile?.dataset.ref
      if (ref === undefined || !(event.target instanceof Element) || isForElsewhere(event)) return
      if (event.target.closest('button, input') !== null) return
      event.preventDefault()
      current.current.view.openCard(ref)
    }
    element?.addEventListener('pointerdown', onPointerDown)
    element?.addEventListener('click', onClick)
    return () => {
      putDown()
      element?.removeEventListener('pointerdown', onPointerDown)
      element?.removeEventListener('click', onClick)
    }
  }, [queries, root])
}
