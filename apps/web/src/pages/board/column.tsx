import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, Suspense, useCallback, useEffect, useId, useRef, useState } from 'react'
import { Icon } from '../../components/icon.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { StatusSign } from '../../components/status.tsx'
import type { CardStatus, CardSummary } from '../../data/cards.ts'
import { creatingCard } from '../../data/needs.ts'
import { useCardType } from '../../data/rights.ts'
import { later } from '../../later.ts'
import { messages } from '../../messages/messages.ts'
import { showCardEvent } from './board-keys.ts'
import { CardTile } from './card-tile.tsx'
import { type DragState, type DropColumn, indexAt, isDraggedCard } from './drag.ts'

/** The form of a new card, which no board needs until somebody adds one. */
export const QuickAdd = later(() => import('./quick-add.tsx'))

interface ColumnProps {
  readonly status: CardStatus
  readonly cards: readonly CardSummary[]
  readonly isInLane: boolean
  readonly drag: DragState
  readonly selected: ReadonlySet<string>
}

const texts = messages.board

/** The height of a tile before it is measured, px. */
const usualHeight = 92

/** A column with no more cards than this has a tile for each, which nobody needs to measure. */
const fewCards = 16

/** A column of cards. Of many, only those that are on the screen have tiles. */
export const Column = memo(function Column({ status, cards, isInLane, drag, selected }: ColumnProps) {
  const id = useId()
  const root = useRef<HTMLElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const [insertAt, setInsertAt] = useState<number>()
  const [isAdding, setAdding] = useState(false)
  const cardType = useCardType()
  const [focusedId, setFocusedId] = useState<string>()
  const [addedId, setAddedId] = useState<string>()
  // The same one as long as the cards are the same: all places are reckoned again for another.
  const getItemKey = useCallback((index: number) => cards[index]!.id, [cards])
  const isLong = cards.length > fewCards
  const virtualizer = useVirtualizer({
    count: cards.length,
    enabled: isLong,
    getScrollElement: () => scroller.current,
    estimateSize: () => usualHeight,
    getItemKey,
    overscan: 4,
    gap: 8,
    paddingEnd: 8,
  })

  useEffect(() => {
    const element = scroller.current!
    return dropTargetForElements({
      element: root.current!,
      canDrop: ({ source }) => isDraggedCard(source.data),
      getData: (): DropColumn => ({ kind: 'column', status, cards, element }),
      onDrag: ({ location }) => setInsertAt(indexAt(element, location.current.input.clientY)),
      onDragLeave: () => setInsertAt(undefined),
      onDrop: () => setInsertAt(undefined),
    })
  }, [status, cards])

  useEffect(() => {
    // A card that was added here comes into sight when it is read.
    const index = addedId === undefined ? -1 : cards.findIndex(({ id }) => id === addedId)
    if (index === -1) return
    if (isLong) virtualizer.scrollToIndex(index)
    else scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
    setAddedId(undefined)
  }, [addedId, cards, virtualizer, isLong])

  useEffect(() => {
    const element = scroller.current!
    const onShow = (event: Event) => {
      const index = (event as CustomEvent<number>).detail
      const card = cards[index]
      if (card === undefined) return
      if (isLong) virtualizer.scrollToIndex(index)
      setFocusedId(card.id)
      const link = () => element.querySelector<HTMLElement>(`[data-card="${card.id}"] a`)
      const drawn = link()
      // A tile that was not on the screen is drawn now. What is focused already is left alone: the next key may lead on.
      if (drawn === null) requestAnimationFrame(() => link()?.focus())
      else drawn.focus()
    }
    element.addEventListener(showCardEvent, onShow)
    return () => element.removeEventListener(showCardEvent, onShow)
  }, [cards, virtualizer, isLong])

  const shown: readonly Slot[] = isLong ? virtualizer.getVirtualItems() : cards.map((_, index) => ({ index }))
  const Heading = isInLane ? 'h3' : 'h2'
  const { isClosed = false, note } = drag.prospectOf(status) ?? {}
  const entry = cards.some(card => card.id === focusedId) ? focusedId : cards[0]?.id
  return (
    <section ref={root} className={isClosed ? 'column refused' : 'column'} aria-labelledby={id}>
      <header className="column-head">
        <StatusSign status={status} />
        <Heading id={id}>{texts.statuses[status]}</Heading>
        <span className="muted numbers grow">{cards.length}</span>
        {!isInLane && (
          <IconButton
            icon="plus"
            data-add=""
            label={texts.add(texts.statuses[status])}
            needs={creatingCard(cardType, status)}
            onClick={() => setAdding(true)}
          />
        )}
      </header>
      <Suspense>
        {isAdding && <QuickAdd status={status} onAdded={setAddedId} onClose={() => setAdding(false)} />}
      </Suspense>
      <div ref={scroller} className="column-cards" data-column={status} data-count={cards.length}>
        {cards.length === 0 && <p className="column-empty">{texts.emptyColumn}</p>}
        <ul className="plain column-list" style={isLong ? { height: virtualizer.getTotalSize() } : undefined}>
          {shown.map(({ index, start }) => {
            const card = cards[index]!
            return (
              <li
                key={card.id}
                ref={isLong ? virtualizer.measureElement : undefined}
                data-index={index}
                className={slotClass(start !== undefined, insertAt === index && !isClosed)}
                style={start === undefined ? undefined : { top: start }}
              >
                <CardTile
                  card={card}
                  index={index}
                  isSelected={selected.has(card.id)}
                  isDragged={drag.ids.has(card.id)}
                  isEntry={card.id === entry}
                  onFocus={setFocusedId}
                />
              </li>
            )
          })}
        </ul>
      </div>
      {note !== undefined && (
        <p className={isClosed ? 'column-note refused-note' : 'column-note'}>
          {isClosed && <Icon name="lock" size={14} />} {note}
        </p>
      )}
    </section>
  )
})

/** The place of a card in its column: from where it is in order, or from the top, px, where others above have no tile. */
interface Slot {
  readonly index: number
  readonly start?: number
}

const slotClass = (isPlaced: boolean, isInsertion: boolean): string =>
  ['slot', isPlaced && 'placed', isInsertion && 'insert-before'].filter(Boolean).join(' ')
