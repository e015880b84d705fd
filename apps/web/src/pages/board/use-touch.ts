import { type RefObject, useEffect, useRef } from 'react'
import type { CardSummary } from '../../data/cards.ts'
import type { DragInput } from './drag.ts'
import { dropTargetOf } from './drop-targets.ts'

/** Lets fingers carry cards (board-touch.ts); the script is only loaded where touch is possible. */
export function useBoardTouch(
  root: RefObject<HTMLElement | null>,
  cards: readonly CardSummary[],
  hand: DragInput,
): void {
  const current = useRef({ cards, hand, targetOf: dropTargetOf })
  current.current = { cards, hand, targetOf: dropTargetOf }
  useEffect(() => {
    if (!matchMedia('(any-pointer: coarse)').matches) return
    let isLeft = false
    let end = () => {}
    const follow = async () => {
      const { handleBoardTouch } = await import('./board-touch.ts')
      if (!isLeft) end = handleBoardTouch(root.current!, () => current.current)
    }
    // If it fails to load, cards can still be moved by their menus.
    follow().catch(() => {})
    return () => {
      isLeft = true
      end()
    }
  }, [root])
}
