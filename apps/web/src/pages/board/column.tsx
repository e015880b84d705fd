import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { Icon } from '../../components/icon.tsx'
import { StatusSign } from '../../components/status.tsx'
import type { CardStatus, CardSummary } from '../../data/cards.ts'
import { isRefused } from '../../data/moves.ts'
import { messages } from '../../messages/messages.ts'
import { noteOf } from '../../moves/move-menu.tsx'
import { showCardEvent } from './board-keys.ts'
import { CardTile } from './card-tile.tsx'
import { type DragState, type DropColumn, indexAt, isDraggedCard } from './drag.ts'
import { QuickAdd } from './quick-add.tsx'

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

/** A column of cards. Only the cards that are on the screen have tiles. */
export function Column({ status, cards, isInLane, drag, selected }: ColumnProps) {
  const id = useId()
  const root = useRef<HTMLElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const [insertAt, setInsertAt] = useState<number>()
  const [isAdding, setAdding] = useState(false)
  const [focusedId, setFocusedId] = useState<string>()
  const [addedId, setAddedId] = useState<string>()
  // The same one as long as the cards are the same: all places are reckoned again for another.
  const getItemKey = useCallback((index: number) => cards[index]!.id, [cards])
  const virtualizer = useVirtualizer({
    count: cards.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => usualHeight,
    getItemKey,
    overscan: 6,
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
    virtualizer.scrollToIndex(index)
    setAddedId(undefined)
  }, [addedId, cards, virtualizer])

  useEffect(() => {
    const element = scroller.current!
    const onShow = (event: Event) => {
      const index = (event as CustomEvent<number>).detail
      const card = cards[index]
      if (card === undefined) return
      virtualizer.scrollToIndex(index)
      setFocusedId(card.id)
      const focus = () => element.querySelector<HTMLElement>(`[data-card="${card.id}"] a`)?.focus()
      focus()
      // A tile that was not on the screen is drawn now.
      requestAnimationFrame(focus)
    }
    element.addEventListener(showCardEvent, onShow)
    return () => element.removeEventListener(showCardEvent, onShow)
  }, [cards, virtualizer])

  const Heading = isInLane ? 'h3' : 'h2'
  const allowed = drag.moveTo(status)
  const isClosed = allowed !== undefined && isRefused(allowed)
  const note = allowed === undefined ? undefined : noteOf(allowed)
  const entry = cards.some(card => card.id === focusedId) ? focusedId : cards[0]?.id
  return (
    <section ref={root} className={isClosed ? 'column refused' : 'column'} aria-labelledby={id}>
      <header className="column-head">
        <StatusSign status={status} />
        <Heading id={id}>{texts.statuses[status]}</Heading>
        <span className="muted numbers grow">{cards.length}</span>
        {!isInLane && (
          <button
            type="button"
            className="button quiet icon"
            data-add=""
            aria-label={texts.add(texts.statuses[status])}
            onClick={() => setAdding(true)}
          >
            <Icon name="plus" />
          </button>
        )}
      </header>
      {isAdding && <QuickAdd status={status} onAdded={setAddedId} onClose={() => setAdding(false)} />}
      <div ref={scroller} className="column-cards" data-column={status} data-count={cards.length}>
        {cards.length === 0 && <p className="column-empty">{texts.emptyColumn}</p>}
        <ul className="plain column-list" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ key, index, start }) => {
            const card = cards[index]!
            return (
              <li
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                className={insertAt === index && !isClosed ? 'slot insert-before' : 'slot'}
                style={{ transform: `translateY(${start}px)` }}
              >
                <CardTile
                  card={card}
                  index={index}
                  isSelected={selected.has(card.id)}
                  isDragged={drag.card?.id === card.id}
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
}
