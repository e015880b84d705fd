import { Suspense, useDeferredValue, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Icon } from '../../components/icon.tsx'
import { Failure } from '../../components/refusal.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { useNames, useSpecs, useSprints } from '../../data/boards.ts'
import { type CardStatus, type CardSummary, cardStatuses, useCards } from '../../data/cards.ts'
import { creatingCard } from '../../data/needs.ts'
import { useCardType } from '../../data/rights.ts'
import { useMe } from '../../data/session.ts'
import { later, useLoadedAhead } from '../../later.ts'
import { messages } from '../../messages/messages.ts'
import { useBulk } from '../../moves/bulk-context.ts'
import { MoveAllMenu } from '../../moves/move-all-menu.tsx'
import { MoveProvider } from '../../moves/move-card.tsx'
import { MoveMenu } from '../../moves/move-menu.tsx'
import type { BoardPageProps } from '../../page-props.ts'
import { BoardContext, type BoardView } from './board-context.ts'
import { useBoardKeys } from './board-keys.ts'
import { useBoardMouse } from './board-mouse.ts'
import { QuickAdd } from './column.tsx'
import { isOfAll, useDragState } from './drag.ts'
import { FilterBar } from './filter-bar.tsx'
import { isFiltered, matcherOf, readFilters, withFilter, withoutFilters, withoutOthers } from './filters.ts'
import { LaneView } from './lane.tsx'
import { isLaneKind, type Lane, type LaneKind, lanesOf, withUnchanged } from './lanes.ts'
import { SelectionBar } from './selection-bar.tsx'
import { useTypedWords } from './typed-words.ts'
import './board.css'

const texts = messages.board

const CardDrawer = later(() => import('../card/drawer.tsx'))

export default function BoardPage({ board }: BoardPageProps) {
  return (
    <MoveProvider>
      <Board board={board} />
    </MoveProvider>
  )
}

function Board({ board }: { readonly board: BoardListItem }) {
  const [query, setQuery] = useSearchParams()
  const me = useMe()
  const { data: cards, error } = useCards(board.id)
  const [typed, setTyped] = useTypedWords(query.get('q') ?? '', q =>
    setQuery(now => withFilter(now, 'q', q), { replace: true }),
  )
  const q = useDeferredValue(typed)
  // The same ones while something else of the address changes, such as the card that is open.
  const chosenFilters = withoutOthers(query).toString()
  const filters = useMemo(() => ({ ...readFilters(new URLSearchParams(chosenFilters)), q }), [chosenFilters, q])
  const wantedLanes = query.get('lanes')
  const laneKind = isLaneKind(wantedLanes) ? wantedLanes : 'none'
  const shown = useMemo(() => (cards ?? []).filter(matcherOf(filters, me.agent_id)), [cards, filters, me.agent_id])
  const lanes = useLanes(shown, laneKind)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const chosen = useMemo(() => (cards ?? []).filter(card => selected.has(card.id)), [cards, selected])
  const bulk = useBulk()
  const [menu, setMenu] = useState<{ readonly card: CardSummary; readonly anchor: HTMLElement }>()
  const unselect = (ids: ReadonlySet<string>) => setSelected(before => before.difference(ids))
  const moveAll = async (to: CardStatus, position?: number) => {
    const all = chosen.map(card => ({ ...card, board_id: board.id }))
    const done = await bulk.move(all, { to, position })
    unselect(new Set(done.map(({ id }) => id)))
  }
  const root = useRef<HTMLDivElement>(null)
  const cardType = useCardType()
  const drag = useDragState({ boardId: board.id, cards, chosen, onDropAll: moveAll })
  const { data: names } = useNames(board.id)

  const view = useMemo<BoardView>(
    () => ({
      board,
      names: names ?? new Map(),
      openCard: ref =>
        setQuery(now => {
          const next = new URLSearchParams(now)
          next.set('card', ref)
          return next
        }),
      openMenu: (card, anchor) => setMenu({ card, anchor }),
      toggleSelected: card =>
        setSelected(before =>
          before.has(card.id) ? new Set([...before].filter(id => id !== card.id)) : new Set([...before, card.id]),
        ),
    }),
    [board, names, setQuery],
  )
  useBoardKeys({ root, cards: shown, chosen, view })
  useBoardMouse(root, shown, view)
  useLoadedAhead(CardDrawer, QuickAdd)

  const openRef = query.get('card')
  return (
    <BoardContext value={view}>
      <div className="board-page" ref={root}>
        <h1 className="hidden">{board.name}</h1>
        <FilterBar
          board={board}
          cards={cards ?? []}
          shown={shown.length}
          query={query}
          words={typed}
          laneKind={laneKind}
          onType={setTyped}
          onChange={next => setQuery(next)}
          onClear={() => {
            setTyped('')
            setQuery(now => withoutFilters(now))
          }}
        />
        <Failure error={error} />
        {cards === undefined && error === null && <p className="notice">{messages.shell.loading}</p>}
        {cards?.length === 0 && (
          <Empty title={texts.emptyBoard} lead={texts.emptyBoardLead}>
            {laneKind === 'none' && (
              <Button
                needs={creatingCard(cardType)}
                onClick={() => root.current?.querySelector<HTMLElement>('[data-add]')?.click()}
              >
                <Icon name="plus" /> {texts.addFirst}
              </Button>
            )}
          </Empty>
        )}
        {cards !== undefined && cards.length > 0 && shown.length === 0 && isFiltered(filters) && (
          <Empty title={texts.noMatch} />
        )}
        {cards !== undefined && (
          <div className={laneKind === 'none' ? 'lanes single' : 'lanes'}>
            <Lanes board={board} lanes={lanes} kind={laneKind} drag={drag} selected={selected} />
          </div>
        )}
        {chosen.length > 0 && (
          <SelectionBar
            cards={chosen}
            board={board}
            onClear={() => setSelected(new Set())}
            onMove={to => void moveAll(to)}
            onDone={unselect}
          />
        )}
      </div>
      {menu !== undefined && isOfAll(menu.card, chosen) && (
        <MoveAllMenu
          count={chosen.length}
          anchor={menu.anchor}
          onMove={to => void moveAll(to)}
          onClose={() => setMenu(undefined)}
        />
      )}
      {menu !== undefined && !isOfAll(menu.card, chosen) && (
        <MoveMenu card={{ ...menu.card, board_id: board.id }} anchor={menu.anchor} onClose={() => setMenu(undefined)} />
      )}
      {openRef !== null && (
        <Suspense>
          <CardDrawer
            board={board}
            cardRef={openRef}
            onClose={() => {
              const next = new URLSearchParams(query)
              next.delete('card')
              setQuery(next)
            }}
          />
        </Suspense>
      )}
    </BoardContext>
  )
}

/** The cards in lanes and columns; what holds the same cards as before is the same as before. */
function useLanes(cards: readonly CardSummary[], kind: LaneKind): readonly Lane[] {
  const [shown, setShown] = useState({ cards, kind, lanes: lanesOf(cards, kind) })
  if (shown.cards === cards && shown.kind === kind) return shown.lanes
  const lanes = withUnchanged(shown.lanes, lanesOf(cards, kind))
  setShown({ cards, kind, lanes })
  return lanes
}

interface LanesProps {
  readonly board: BoardListItem
  readonly lanes: ReturnType<typeof lanesOf>
  readonly kind: LaneKind
  readonly drag: ReturnType<typeof useDragState>
  readonly selected: ReadonlySet<string>
}

const noLane = { id: null, columns: new Map(), count: 0 } as const

function Lanes({ board, lanes, kind, drag, selected }: LanesProps) {
  const titles = useLaneTitles(board.id, kind)
  const all = lanes.length === 0 ? [noLane] : lanes
  return all.map(lane => (
    <LaneView
      key={lane.id ?? ''}
      lane={lane}
      title={kind === 'none' ? undefined : titleOf(kind, lane.id, titles)}
      drag={drag}
      selected={selected}
      statuses={cardStatuses}
    />
  ))
}

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
