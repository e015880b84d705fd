import { useCallback, useMemo, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Icon } from '../../components/icon.tsx'
import { useIsNarrow } from '../../components/narrow.ts'
import { opening } from '../../components/part.tsx'
import { Failure } from '../../components/refusal.tsx'
import { StatusSign } from '../../components/status.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { useNames, useSpecs, useSprints } from '../../data/boards.ts'
import { type CardStatus, type CardSummary, cardStatuses } from '../../data/cards.ts'
import { creatingCard } from '../../data/needs.ts'
import { useCardType } from '../../data/rights.ts'
import { usePreferences } from '../../data/use-preferences.ts'
import { useLoadedAhead } from '../../later.ts'
import { messages } from '../../messages/messages.ts'
import { useCardSelection } from '../../moves/card-selection.ts'
import { MoveAllMenu } from '../../moves/move-all-menu.tsx'
import { MoveProvider } from '../../moves/move-card.tsx'
import { MoveMenu } from '../../moves/move-menu.tsx'
import type { BoardPageProps } from '../../page-props.ts'
import { BoardBar } from './board-bar.tsx'
import { BoardContext, type BoardView } from './board-context.ts'
import { useBoardKeys } from './board-keys.ts'
import { useBoardMouse } from './board-mouse.ts'
import { BoardSkeleton } from './board-skeleton.tsx'
import { CardChanges, type ChangedField } from './card-changes.tsx'
import { CardCommands } from './card-commands.tsx'
import { QuickAdd } from './column.tsx'
import { ColumnHead } from './column-parts.tsx'
import { ColumnTabs } from './column-tabs.tsx'
import { appliesToSelection, type DragState, useDragState } from './drag.ts'
import { isFiltered } from './filters.ts'
import { useFolded } from './folded.ts'
import { LaneView } from './lane.tsx'
import { type CardOrder, isCardOrder, isLaneKind, type Lane, type LaneKind, lanesOf, withUnchanged } from './lanes.ts'
import { SelectionBar } from './selection-bar.tsx'
import { useShownCards } from './shown-cards.ts'
import { useSpecTitles } from './spec-titles.ts'
import { useBoardTouch } from './use-touch.ts'
import './board.css'

const texts = messages.board

const CardDrawer = opening(() => import('../card/drawer.tsx'))

export default function BoardPage({ board }: BoardPageProps) {
  return (
    <MoveProvider>
      <Board board={board} />
    </MoveProvider>
  )
}

function Board({ board }: { readonly board: BoardListItem }) {
  const { query, setQuery, cards, error, typed, setTyped, filters, visibleCards, clear, openRef, openCard, closeCard } =
    useShownCards(board.id)
  const wantedLanes = query.get('lanes')
  const laneKind = isLaneKind(wantedLanes) ? wantedLanes : 'none'
  const wantedOrder = query.get('order')
  const order = isCardOrder(wantedOrder) ? wantedOrder : 'hand'
  const lanes = useLanes(visibleCards, laneKind, order)
  const { selected, select, chosen, toggle, unselect, moveAll } = useCardSelection(board.id, cards)
  const [menu, setMenu] = useState<{ readonly card: CardSummary; readonly anchor: HTMLElement }>()
  const root = useRef<HTMLDivElement>(null)
  const cardType = useCardType()
  const isByHand = order === 'hand'
  const { drag, hand } = useDragState({ boardId: board.id, cards, chosen, onDropAll: moveAll, isByHand })
  const { data: names } = useNames(board.id)
  const specTitles = useSpecTitles(board.id)
  const isCompact = usePreferences().density === 'compact'
  const { facts, folded, unfolded, setFolded, peek } = useFolded(cards, drag.ids.size > 0)
  const isNarrow = useIsNarrow()
  const [changing, setChanging] = useState<{ readonly field: ChangedField; readonly anchor: HTMLElement }>()
  const [changed, setChanged] = useState<readonly CardSummary[]>([])

  const view = useMemo<BoardView>(
    () => ({
      board,
      names: names ?? new Map(),
      specTitles,
      facts,
      isCompact,
      isByHand,
      unfolded,
      setFolded,
      peek,
      openCard,
      openMenu: (card, anchor) => setMenu({ card, anchor }),
      toggleSelected: ({ id }) => toggle(id),
    }),
    [board, names, specTitles, facts, isCompact, isByHand, unfolded, setFolded, peek, openCard, toggle],
  )
  const change = useCallback((field: ChangedField, cards: readonly CardSummary[], anchor: HTMLElement) => {
    setChanged(cards)
    setChanging({ field, anchor })
  }, [])
  const addCard = () => {
    const column = document.activeElement?.closest('.column') ?? root.current
    const add =
      column?.querySelector<HTMLElement>('[data-add]') ?? root.current?.querySelector<HTMLElement>('[data-add]')
    add?.click()
  }
  useBoardKeys({ root, cards: visibleCards, chosen, lanes, view, onChange: change, onAdd: addCard })
  useBoardMouse(root, visibleCards, view)
  useBoardTouch(root, visibleCards, hand)
  useLoadedAhead(CardDrawer, QuickAdd)

  return (
    <BoardContext value={view}>
      <div className="board-page" ref={root}>
        <BoardBar
          board={board}
          cards={cards ?? noCards}
          count={visibleCards.length}
          query={query}
          words={typed}
          onType={setTyped}
          onChange={next => setQuery(next)}
          onClear={clear}
          onAdd={addCard}
        />
        {isNarrow && <ColumnTabs root={root} counts={countsOf(visibleCards)} />}
        <Failure error={error} />
        {cards === undefined && error === null && <BoardSkeleton />}
        {cards?.length === 0 && (
          <Empty title={texts.emptyBoard} lead={texts.emptyBoardLead}>
            <Button needs={creatingCard(cardType)} onClick={addCard}>
              <Icon name="plus" /> {texts.addFirst}
            </Button>
          </Empty>
        )}
        {cards !== undefined && cards.length > 0 && visibleCards.length === 0 && isFiltered(filters) && (
          <Empty title={texts.noMatch} />
        )}
        {cards !== undefined && (
          <div className={laneKind === 'none' ? 'lanes single' : 'lanes'}>
            <Lanes board={board} lanes={lanes} kind={laneKind} folded={folded} drag={drag} selected={selected} />
          </div>
        )}
        {drag.over !== undefined && drag.prospectOf(drag.over)?.isClosed === false && (
          <p className="drag-hint">
            <StatusSign status={drag.over} />
            <span>{texts.dropTo(drag.says, texts.statuses[drag.over])}</span>
            <span className="muted drag-key">
              <kbd>Esc</kbd> {texts.putBack}
            </span>
          </p>
        )}
        {chosen.length > 0 && (
          <SelectionBar
            cards={chosen}
            board={board}
            onClear={() => select(new Set())}
            onMove={to => void moveAll(to)}
            onDone={unselect}
            onChange={(field, anchor) => change(field, chosen, anchor)}
          />
        )}
      </div>
      {openRef === null && (
        <CardCommands
          root={root}
          board={board}
          cards={visibleCards}
          chosen={chosen}
          onOpen={openCard}
          onMove={([card], anchor) => setMenu({ card: card!, anchor })}
          onChange={change}
        />
      )}
      {changing !== undefined && (
        <CardChanges
          board={board}
          cards={changed}
          all={cards ?? noCards}
          {...changing}
          onDone={unselect}
          onClose={() => setChanging(undefined)}
        />
      )}
      {menu !== undefined && appliesToSelection(menu.card, chosen) && (
        <MoveAllMenu
          count={chosen.length}
          anchor={menu.anchor}
          onMove={to => void moveAll(to)}
          onClose={() => setMenu(undefined)}
        />
      )}
      {menu !== undefined && !appliesToSelection(menu.card, chosen) && (
        <MoveMenu card={{ ...menu.card, board_id: board.id }} anchor={menu.anchor} onClose={() => setMenu(undefined)} />
      )}
      {openRef !== null && <CardDrawer board={board} cardRef={openRef} onClose={closeCard} />}
    </BoardContext>
  )
}

/** The cards in lanes and columns; unchanged lanes and columns keep their identity. */
function useLanes(cards: readonly CardSummary[], kind: LaneKind, order: CardOrder): readonly Lane[] {
  const [state, setState] = useState(() => ({ cards, kind, order, lanes: lanesOf(cards, kind, order) }))
  if (state.cards === cards && state.kind === kind && state.order === order) return state.lanes
  const lanes = withUnchanged(state.lanes, lanesOf(cards, kind, order))
  setState({ cards, kind, order, lanes })
  return lanes
}

const noCards: readonly CardSummary[] = []

function countsOf(cards: readonly CardSummary[]): ReadonlyMap<CardStatus, number> {
  const counts = new Map<CardStatus, number>()
  for (const { status } of cards) counts.set(status, (counts.get(status) ?? 0) + 1)
  return counts
}

interface LanesProps {
  readonly board: BoardListItem
  readonly lanes: ReturnType<typeof lanesOf>
  readonly kind: LaneKind
  readonly folded: ReadonlySet<CardStatus>
  readonly drag: DragState
  readonly selected: ReadonlySet<string>
}

const noLane = { id: null, columns: new Map(), count: 0 } as const

function Lanes({ board, lanes, kind, folded, drag, selected }: LanesProps) {
  const titles = useLaneTitles(board.id, kind)
  const all = lanes.length === 0 ? [noLane] : lanes
  return (
    <>
      {kind !== 'none' && <LaneHeads lanes={all} folded={folded} />}
      {all.map(lane => (
        <LaneView
          key={lane.id ?? ''}
          lane={lane}
          title={kind === 'none' ? undefined : titleOf(kind, lane.id, titles)}
          folded={folded}
          drag={drag}
          selected={selected}
          statuses={cardStatuses}
        />
      ))}
    </>
  )
}

/** The column heads, once for all lanes. */
const LaneHeads = ({ lanes, folded }: Pick<LanesProps, 'lanes' | 'folded'>) => (
  <div className="columns lane-heads">
    {cardStatuses.map(status => (
      <div key={status} className={folded.has(status) ? 'column folded' : 'column'}>
        {folded.has(status) ? (
          <span className="column-fold">
            <StatusSign status={status} />
            <span className="hidden">{texts.statuses[status]}</span>
          </span>
        ) : (
          <ColumnHead
            status={status}
            count={lanes.reduce((sum, { columns }) => sum + (columns.get(status)?.length ?? 0), 0)}
          />
        )}
      </div>
    ))}
  </div>
)

const without: Readonly<Record<LaneKind, string>> = {
  none: '',
  spec: texts.noSpec,
  sprint: texts.noSprint,
  assignee: texts.unassigned,
}

const titleOf = (kind: LaneKind, id: string | null, titles: ReadonlyMap<string, string>): string =>
  id === null ? without[kind] : (titles.get(id) ?? id)

function useLaneTitles(boardId: string, kind: LaneKind): ReadonlyMap<string, string> {
  const { data: specs } = useSpecs(boardId)
  const { data: sprints } = useSprints(boardId)
  const { data: names } = useNames(boardId)
  return useMemo(() => {
    const titled = (kind === 'spec' ? specs : kind === 'sprint' ? sprints : undefined) ?? []
    return kind === 'assignee'
      ? (names ?? new Map())
      : new Map(titled.map(({ id, ref, title }) => [id, `${ref} ${title}`]))
  }, [kind, specs, sprints, names])
}
