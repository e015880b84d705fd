import type { CardSummary } from '../../data/cards.ts'
import { type Carrying, edgeScroll, followTouch, type Point, pictureOf } from './carry.ts'
import type { DragInput, DropColumn } from './drag.ts'
import type { DropTarget } from './drop-targets.ts'

/** The parts of a board that touch handling needs. */
export interface TouchedBoard {
  readonly cards: readonly CardSummary[]
  readonly hand: DragInput
  /** Finds the target on which cards can be dropped: a column, or the tab of a column on a phone. */
  readonly targetOf: (element: Element) => DropTarget | undefined
}

/** The target that a finger is over. */
interface TouchTarget extends DropTarget {
  readonly element: Element
}

/** Carries a tile over the board until the finger is lifted. */
class CarriedTile implements Carrying {
  readonly #tile: HTMLElement
  readonly #page: HTMLElement
  readonly #board: () => TouchedBoard
  readonly #card: CardSummary
  #picture: ReturnType<typeof pictureOf> | undefined
  #place: TouchTarget | undefined
  #at: Point = { x: 0, y: 0 }

  constructor(tile: HTMLElement, page: HTMLElement, card: CardSummary, board: () => TouchedBoard) {
    this.#tile = tile
    this.#page = page
    this.#card = card
    this.#board = board
  }

  takeUp(at: Point): void {
    this.#picture = pictureOf(this.#tile, this.#page, at)
    this.#board().hand.takeUp(this.#card)
    this.carry(at)
    requestAnimationFrame(this.#scroll)
  }

  carry(to: Point): void {
    this.#at = to
    this.#picture?.moveTo(to)
    const place = this.#placeAt(to)
    if (place?.element !== this.#place?.element) {
      this.#place?.leave()
      place?.enter()
      this.#board().hand.goOver(place?.column.status)
    }
    this.#place = place
    place?.over(to.y)
  }

  #placeAt({ x, y }: Point): TouchTarget | undefined {
    const element = document.elementFromPoint(x, y)?.closest('.column, .column-tab') ?? undefined
    const target = element && this.#board().targetOf(element)
    return target && { element: element!, ...target }
  }

  putDown(at: Point): void {
    const column = this.#place?.column
    this.#release()
    this.#board().hand.putDown(this.#card, this.#isOwnTab(column) ? undefined : column, at.y)
  }

  putBack(): void {
    this.#release()
    this.#board().hand.putDown(this.#card, undefined, 0)
  }

  #isOwnTab(column: DropColumn | undefined): boolean {
    return column?.element === null && column.status === this.#card.status
  }

  #release(): void {
    this.#place?.leave()
    this.#place = undefined
    this.#picture?.remove()
    this.#picture = undefined
  }

  /** Scrolls while the finger is at an edge: the cards of a column, or the columns. */
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
 * Touch handling of a board's cards: a long press picks a card up, to be carried to another place in its column or to
 * another column. Scrolling, taps and the buttons on a card work as usual. Returns a function that ends it.
 */
export function handleBoardTouch(page: HTMLElement, board: () => TouchedBoard): () => void {
  let end = () => {}
  const onStart = ({ target, touches }: TouchEvent) => {
    end()
    end = () => {}
    if (!(target instanceof Element) || target.closest('button, input') !== null || touches.length !== 1) return
    const tile = target.closest<HTMLElement>('[data-card]')
    const card = board().cards.find(({ id }) => id === tile?.dataset.card)
    if (tile !== null && card !== undefined)
      end = followTouch(tile, touches[0]!, new CarriedTile(tile, page, card, board))
  }
  // Safari allows a touch to be prevented only if a listener existed before it began.
  const onMove = () => {}
  page.addEventListener('touchstart', onStart, { passive: true })
  page.addEventListener('touchmove', onMove, { passive: false })
  return () => {
    end()
    page.removeEventListener('touchstart', onStart)
    page.removeEventListener('touchmove', onMove)
  }
}
