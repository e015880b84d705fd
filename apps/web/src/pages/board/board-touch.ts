import { type RefObject, useEffect, useRef } from 'react'
import { type CardStatus, type CardSummary, cardStatuses } from '../../data/cards.ts'
import { tileAt } from './board-mouse.ts'
import { type Carrying, edgeScroll, followFinger, type Point, pictureOf } from './carry.ts'
import type { DropColumn, Hand } from './drag.ts'
import { type DropTarget, dropTargetOf } from './drop-targets.ts'

/** How long a card is held over the tab of a column until that column is shown, ms. */
const showMs = 500

/** What a finger is over: a column, or the tab of one on a phone. */
interface Place extends DropTarget {
  readonly element: Element
}

/** A tab as a target: a moment over it shows its column; a card that is dropped on it goes to the end of the column. */
function tabTarget(tab: HTMLElement, status: CardStatus): DropTarget {
  let showing: ReturnType<typeof setTimeout> | undefined
  return {
    column: { kind: 'column', status, cards: [], element: null },
    enter: () => {
      showing = setTimeout(() => tab.click(), showMs)
    },
    over: () => {},
    leave: () => clearTimeout(showing),
  }
}

function placeAt({ x, y }: Point, before: Place | undefined): Place | undefined {
  const element = document.elementFromPoint(x, y)?.closest<HTMLElement>('.column, .column-tab') ?? undefined
  if (element === undefined) return undefined
  const status = cardStatuses.find(each => each === element.dataset.tab)
  if (status !== undefined) return before?.element === element ? before : { element, ...tabTarget(element, status) }
  const target = dropTargetOf(element)
  return target && { element, ...target }
}

/** Carries a tile over the board until its finger lets go. */
class CarriedTile implements Carrying {
  readonly #tile: HTMLElement
  readonly #page: HTMLElement
  readonly #hand: Hand
  readonly #card: CardSummary
  #picture: ReturnType<typeof pictureOf> | undefined
  #place: Place | undefined
  #at: Point = { x: 0, y: 0 }

  constructor(tile: HTMLElement, page: HTMLElement, card: CardSummary, hand: Hand) {
    this.#tile = tile
    this.#page = page
    this.#card = card
    this.#hand = hand
  }

  takeUp(at: Point): void {
    this.#picture = pictureOf(this.#tile, this.#page, at)
    this.#hand.takeUp(this.#card)
    this.carry(at)
    requestAnimationFrame(this.#scroll)
  }

  carry(to: Point): void {
    this.#at = to
    this.#picture?.moveTo(to)
    const place = placeAt(to, this.#place)
    if (place?.element !== this.#place?.element) {
      this.#place?.leave()
      place?.enter()
      this.#hand.goOver(place?.column.status)
    }
    this.#place = place
    place?.over(to.y)
  }

  putDown(at: Point): void {
    const column = this.#place?.column
    this.#letGo()
    this.#hand.putDown(this.#card, this.#isOwnTab(column) ? undefined : column, at.y)
  }

  putBack(): void {
    this.#letGo()
    this.#hand.putDown(this.#card, undefined, 0)
  }

  #isOwnTab(column: DropColumn | undefined): boolean {
    return column?.element === null && column.status === this.#card.status
  }

  #letGo(): void {
    this.#place?.leave()
    this.#place = undefined
    this.#picture?.remove()
    this.#picture = undefined
  }

  /** Scrolls what the finger is at the edge of, for as long as it carries: the cards of a column, or columns side by side. */
  readonly #scroll = () => {
    if (this.#picture === undefined) return
    const cards = this.#place?.element.querySelector<HTMLElement>('.column-cards')
    if (cards != null) {
      const { top, bottom } = cards.getBoundingClientRect()
      cards.scrollTop += edgeScroll(this.#at.y, top, bottom)
    }
    const lanes = this.#page.querySelector<HTMLElement>('.lanes')
    // A phone shows one column at a time, and has tabs for the others.
    if (lanes !== null && this.#page.querySelector('.column-tab') === null) {
      const { left, right } = lanes.getBoundingClientRect()
      lanes.scrollLeft += edgeScroll(this.#at.x, left, right)
    }
    this.carry(this.#at)
    requestAnimationFrame(this.#scroll)
  }
}

/**
 * Fingers on a board's cards: a card that is pressed for a moment is taken up, and carried to another place in its column
 * or to another column. Scrolling, taps and the buttons on a card stay what they are.
 */
export function useBoardTouch(root: RefObject<HTMLElement | null>, cards: readonly CardSummary[], hand: Hand): void {
  const current = useRef({ cards, hand })
  current.current = { cards, hand }
  useEffect(() => {
    const page = root.current!
    let end = () => {}
    const onStart = ({ target, touches }: TouchEvent) => {
      end()
      end = () => {}
      const tile = tileAt(target)
      const { cards, hand } = current.current
      const card = cards.find(({ id }) => id === tile?.dataset.card)
      const isOnControl = target instanceof Element && target.closest('button, input') !== null
      if (tile === null || card === undefined || isOnControl || touches.length !== 1) return
      end = followFinger(tile, touches[0]!, new CarriedTile(tile, page, card, hand))
    }
    // Safari lets a touch be prevented only where somebody listened for that before it began.
    const onMove = () => {}
    page.addEventListener('touchstart', onStart, { passive: true })
    page.addEventListener('touchmove', onMove, { passive: false })
    return () => {
      end()
      page.removeEventListener('touchstart', onStart)
      page.removeEventListener('touchmove', onMove)
    }
  }, [root])
}
