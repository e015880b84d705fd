import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { opening } from '../../components/part.tsx'
import { usePrinting } from '../../components/printing.ts'
import type { CardStatus, CardSummary } from '../../data/cards.ts'
import { messages } from '../../messages/messages.ts'
import { useBoardView } from './board-context.ts'
import { CardTile } from './card-tile.tsx'
import { LimitNote, useLimitNote } from './column-limit.tsx'
import { ColumnHead, FoldedColumn, Gate } from './column-parts.tsx'
import { type DragState, indexAt, isDraggedCard } from './drag.ts'
import { type DropTarget, registerTouchTarget } from './drop-targets.ts'
import { showCardEvent } from './show-card.ts'

/** The form of a new card, which is loaded when somebody first adds one. */
export const QuickAdd = opening(() => import('./quick-add.tsx'))

interface ColumnProps {
  readonly status: CardStatus
  readonly cards: readonly CardSummary[]
  readonly isInLane: boolean
  readonly isFolded: boolean
  readonly drag: DragState
  readonly selected: ReadonlySet<string>
}

const texts = messages.board

/** The height of a tile before it is measured, px. */
const usualHeight = { roomy: 102, compact: 36 }

/** A column with no more cards than this has a tile for each, without measuring. */
const fewCards = 16

/** How long a card is held over a folded column until it unfolds, ms. */
const unfoldMs = 500

/** A column of cards. If there are many, only those on the screen have tiles; a folded column is a narrow strip. */
export const Column = memo(function Column(props: ColumnProps) {
  const { status, cards, isFolded, isInLane, drag } = props
  const { peek, setFolded } = useBoardView()
  const root = useRef<HTMLElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const [insertAt, setInsertAt] = useState<number>()

  // biome-ignore lint/correctness/useExhaustiveDependencies: a column that is folded or shown again has other elements
  useEffect(() => {
    let unfolding: ReturnType<typeof setTimeout> | undefined
    const leave = () => {
      clearTimeout(unfolding)
      setInsertAt(undefined)
    }
    const element = scroller.current
    const target: DropTarget = {
      // Cards dropped on a folded column go to its end.
      column: { kind: 'column', status, cards: element === null ? [] : cards, element },
      enter: () => {
        if (element === null) unfolding = setTimeout(() => peek(status), unfoldMs)
      },
      over: clientY => setInsertAt(element === null ? 0 : indexAt(element, clientY)),
      leave,
    }
    const endOfMouse = dropTargetForElements({
      element: root.current!,
      canDrop: ({ source }) => isDraggedCard(source.data),
      getData: () => target.column,
      onDragEnter: target.enter,
      onDrag: ({ location }) => target.over(location.current.input.clientY),
      onDragLeave: leave,
      onDrop: leave,
    })
    const endOfFingers = registerTouchTarget(root.current!, target)
    return () => {
      clearTimeout(unfolding)
      endOfMouse()
      endOfFingers()
    }
  }, [status, cards, peek, isFolded])

  const { isClosed = false, note } = drag.prospectOf(status) ?? {}
  const limitNote = useLimitNote(status, drag)
  const isOver = insertAt !== undefined
  const classes = ['column', isFolded && 'folded', isClosed && 'refused', isOver && !isClosed && 'over']
  return (
    <section
      ref={root}
      className={classes.filter(Boolean).join(' ')}
      aria-label={texts.columnOf(texts.statuses[status], cards.length)}
    >
      {isFolded ? (
        <FoldedColumn
          status={status}
          count={cards.length}
          isClosed={isClosed}
          isInLane={isInLane}
          note={isOver ? (isClosed ? note : (limitNote ?? note)) : undefined}
          onUnfold={() => setFolded(status, false)}
        />
      ) : (
        <OpenColumn {...props} scroller={scroller} insertAt={isClosed ? undefined : insertAt} />
      )}
    </section>
  )
})

interface OpenColumnProps extends ColumnProps {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly insertAt: number | undefined
}

function OpenColumn({ status, cards, isInLane, drag, selected, scroller, insertAt }: OpenColumnProps) {
  const { board, isCompact, isByHand } = useBoardView()
  const [isAdding, setAdding] = useState(false)
  const [focusedId, setFocusedId] = useState<string>()
  const [addedId, setAddedId] = useState<string>()
  // The same function as long as the cards are the same: a new one would make all positions be recomputed.
  const getItemKey = useCallback((index: number) => cards[index]!.id, [cards])
  const isPrinting = usePrinting()
  const isLong = cards.length > fewCards && !isPrinting
  const virtualizer = useVirtualizer({
    count: cards.length,
    enabled: isLong,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isCompact ? usualHeight.compact : usualHeight.roomy),
    getItemKey,
    overscan: 4,
    gap: 6,
    paddingEnd: 12,
  })

  useEffect(() => {
    // A card that was added here scrolls into view when it is read.
    const index = addedId === undefined ? -1 : cards.findIndex(({ id }) => id === addedId)
    if (index === -1) return
    if (isLong) virtualizer.scrollToIndex(index)
    else scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
    setAddedId(undefined)
  }, [addedId, cards, virtualizer, isLong, scroller])

  useEffect(() => {
    const element = scroller.current!
    const onShow = (event: Event) => {
      const index = (event as CustomEvent<number>).detail
      const card = cards[index]
      if (card === undefined) return
      if (isLong) virtualizer.scrollToIndex(index)
      setFocusedId(card.id)
      const link = () => element.querySelector<HTMLElement>(`[data-card="${card.id}"] a`)
      const anchor = link()
      // A tile that was not on the screen has now been rendered. If the focus is already in it, it stays where it is:
      // the next key may move it on.
      if (anchor === null) requestAnimationFrame(() => link()?.focus())
      else anchor.focus()
    }
    element.addEventListener(showCardEvent, onShow)
    return () => element.removeEventListener(showCardEvent, onShow)
  }, [cards, virtualizer, isLong, scroller])

  const slots: readonly Slot[] = isLong ? virtualizer.getVirtualItems() : cards.map((_, index) => ({ index }))
  const prospect = drag.prospectOf(status)
  const entry = cards.some(card => card.id === focusedId) ? focusedId : cards[0]?.id
  return (
    <>
      {!isInLane && <ColumnHead status={status} count={cards.length} onAdd={() => setAdding(true)} />}
      {isAdding && <QuickAdd board={board} status={status} onAdded={setAddedId} onClose={() => setAdding(false)} />}
      <Gate prospect={prospect} dragged={drag.says} />
      {prospect?.isClosed !== true && <LimitNote status={status} drag={drag} />}
      <div ref={scroller} className="column-cards" data-column={status} data-count={cards.length}>
        {cards.length === 0 && <p className="column-empty">{texts.emptyColumn}</p>}
        <ul className="plain column-list" style={isLong ? { height: virtualizer.getTotalSize() } : undefined}>
          {slots.map(({ index, start }) => {
            const card = cards[index]!
            return (
              <li
                key={card.id}
                ref={isLong ? virtualizer.measureElement : undefined}
                data-index={index}
                className={slotClass(start !== undefined, insertAt === index && isByHand)}
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
    </>
  )
}

/**
 * The position of a card in its column: in the normal flow, or as a distance from the top, px, if cards above it have
 * no tiles.
 */
interface Slot {
  readonly index: number
  readonly start?: number
}

const slotClass = (isPlaced: boolean, isInsertion: boolean): string =>
  ['slot', isPlaced && 'placed', isInsertion && 'insert-before'].filter(Boolean).join(' ')
