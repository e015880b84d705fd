import { type ReactNode, useMemo, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Empty } from '../../components/empty.tsx'
import { NoMatch } from '../../components/filters/no-match.tsx'
import { Icon } from '../../components/icon.tsx'
import { useIsNarrow } from '../../components/narrow.ts'
import { opening } from '../../components/part.tsx'
import { Failure } from '../../components/refusal.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import type { CardStatus, CardSummary } from '../../data/cards.ts'
import { creatingCard } from '../../data/needs.ts'
import { useCardType } from '../../data/rights.ts'
import { saveFile } from '../../data/save-file.ts'
import { useLoadedAhead } from '../../later.ts'
import { messages } from '../../messages/messages.ts'
import { useCardSelection } from '../../moves/card-selection.ts'
import { MoveAllMenu } from '../../moves/move-all-menu.tsx'
import { MoveProvider } from '../../moves/move-card.tsx'
import { MoveMenu } from '../../moves/move-menu.tsx'
import type { BoardPageProps } from '../../page-props.ts'
import { nextSort, readTableOptions, withSort } from '../../table/address.ts'
import { csvOf } from '../../table/csv.ts'
import { grouped, sorted } from '../../table/model.ts'
import { MoreMenu } from '../../table/more-menu.tsx'
import { RecordTable, type TableHandle } from '../../table/record-table.tsx'
import { BoardBar } from '../board/board-bar.tsx'
import { CardCommands } from '../board/card-commands.tsx'
import { isFiltered } from '../board/filters.ts'
import { SelectionBar } from '../board/selection-bar.tsx'
import { useShownCards } from '../board/shown-cards.ts'
import {
  columnOrder,
  defaultOptions,
  groupings as groupingIds,
  onPhone,
  summaryOf,
  useCardColumns,
} from './card-columns.tsx'
import { CardEdits, type Conflict, ConflictDialog } from './card-edits.tsx'
import { type EditedField, ListContext, type ListView } from './list-context.ts'
import { ListDisplay } from './list-display.tsx'
import { useListKeys } from './list-keys.ts'
import '../board/board.css'
import './list.css'

const texts = messages.list

const CardDrawer = opening(() => import('../card/drawer.tsx'))
const QuickAdd = opening(() => import('../board/quick-add.tsx'))

/** The cards of a board as a table with the board's filters: sorted, grouped, edited in place. */
export default function ListPage({ board }: BoardPageProps) {
  return (
    <MoveProvider>
      <List board={board} />
    </MoveProvider>
  )
}

/** The change that is being chosen for a card, or for all cards selected with it. */
interface Editing {
  readonly field: EditedField
  readonly card: CardSummary
  readonly anchor: HTMLElement
}

/** The groups that are folded by default. */
const usuallyFolded: ReadonlySet<string> = new Set(['cancelled'])

const noCards: readonly CardSummary[] = []

function List({ board }: { readonly board: BoardListItem }) {
  const { query, setQuery, cards, error, typed, setTyped, filters, visibleCards, clear, openRef, openCard, closeCard } =
    useShownCards(board.id)
  const { columns, groupings } = useCardColumns(board)
  const look = useLook(query)
  const isNarrow = useIsNarrow()
  const [folded, setFolded] = useState(usuallyFolded)
  const { selected, select, chosen, toggle, unselect, moveAll } = useCardSelection(board.id, cards)
  const [editing, setEditing] = useState<Editing>()
  const [conflict, setConflict] = useState<Conflict>()
  const [isAdding, setAdding] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const table = useRef<TableHandle>(null)
  const cardType = useCardType()
  useLoadedAhead(CardDrawer, QuickAdd)

  const grouping = groupings.find(({ id }) => id === look.group)
  const groups = useMemo(
    () => grouped(sorted(visibleCards, columns, look.sort), grouping),
    [visibleCards, columns, look.sort, grouping],
  )
  const visible = useMemo(
    () =>
      columns.filter(({ id }) =>
        isNarrow ? onPhone.has(id) : id === 'ref' || id === 'title' || (look.columns.includes(id) && id !== look.group),
      ),
    [columns, isNarrow, look],
  )
  const inOrder = groups.flatMap(({ rows }) => rows)
  const unfolded = groups.flatMap(({ key, rows }) => (grouping !== undefined && folded.has(key ?? '') ? [] : rows))

  const view = useMemo<ListView>(
    () => ({
      board,
      openCard,
      edit: (field, card, anchor) => setEditing({ field, card, anchor }),
    }),
    [board, openCard],
  )
  const add = () => setAdding(true)
  useListKeys({ root, table, cards: unfolded, chosen, view, toggle, onAdd: add })

  const close = () => setEditing(undefined)
  return (
    <ListContext value={view}>
      <div className="board-page records-page" ref={root}>
        <BoardBar
          board={board}
          cards={cards ?? noCards}
          count={visibleCards.length}
          query={query}
          words={typed}
          title={texts.title}
          display={ListDisplay}
          onType={setTyped}
          onChange={next => setQuery(next)}
          onClear={clear}
          onAdd={add}
        >
          {onDisplay => (
            <MoreMenu
              onDisplay={onDisplay}
              onExport={() =>
                void saveFile(
                  new Response(csvOf(isNarrow ? columns : visible, inOrder), {
                    headers: { 'content-type': 'text/csv' },
                  }),
                  texts.file(board.key),
                )
              }
            />
          )}
        </BoardBar>
        <Failure error={error} />
        {cards === undefined && error === null && <ListSkeleton />}
        {cards?.length === 0 && (
          <Empty title={messages.board.emptyBoard} lead={texts.emptyLead}>
            <Button needs={creatingCard(cardType)} onClick={add}>
              <Icon name="plus" /> {messages.board.addFirst}
            </Button>
          </Empty>
        )}
        {cards !== undefined && cards.length > 0 && visibleCards.length === 0 && isFiltered(filters) && (
          <NoMatch title={messages.board.noMatch} onClear={clear} />
        )}
        {visibleCards.length > 0 && (
          <RecordTable
            caption={texts.caption(board.name)}
            columns={visible}
            groups={groups}
            grouping={grouping}
            sort={look.sort}
            onSort={column => setQuery(now => withSort(now, nextSort(look.sort, column)))}
            nameOf={refOf}
            summaryOf={summaryOf}
            folded={folded}
            onFold={name => setFolded(before => before.symmetricDifference(new Set([name])))}
            handle={table}
            selection={{
              selected,
              toggle,
              toggleAll: isSelected => select(new Set(isSelected ? visibleCards.map(({ id }) => id) : [])),
            }}
          />
        )}
        {chosen.length > 0 && (
          <SelectionBar
            cards={chosen}
            board={board}
            onClear={() => select(new Set())}
            onMove={to => void moveAll(to)}
            onDone={unselect}
            onChange={(field, anchor) => setEditing({ field, card: chosen[0]!, anchor })}
          />
        )}
      </div>
      {openRef === null && (
        <CardCommands
          root={root}
          board={board}
          cards={unfolded}
          chosen={chosen}
          onOpen={openCard}
          onMove={([card], anchor) => view.edit('status', card!, anchor)}
          onChange={(field, [card], anchor) => view.edit(field, card!, anchor)}
        />
      )}
      {editing !== undefined && (
        <Edits
          {...editing}
          board={board}
          all={cards ?? noCards}
          chosen={chosen}
          onMoveAll={to => void moveAll(to)}
          onDone={unselect}
          onConflict={setConflict}
          onClose={close}
        />
      )}
      {conflict !== undefined && (
        <ConflictDialog board={board} conflict={conflict} onClose={() => setConflict(undefined)} />
      )}
      {isAdding && (
        <Dialog title={messages.board.newCard} onClose={() => setAdding(false)}>
          <QuickAdd
            board={board}
            status="not_started"
            onAdded={() => setAdding(false)}
            onClose={() => setAdding(false)}
          />
        </Dialog>
      )}
      {openRef !== null && (
        <CardDrawer board={board} cardRef={openRef} among={unfolded.map(refOf)} onClose={closeCard} />
      )}
    </ListContext>
  )
}

const refOf = ({ ref }: CardSummary): string => ref

/** The display options in the address; they keep their identity while something else in the address changes. */
function useLook(query: URLSearchParams) {
  const { sort, group, columns } = readTableOptions(query, columnOrder, groupingIds, defaultOptions)
  const text = JSON.stringify({ sort, group, columns })
  return useMemo(() => JSON.parse(text) as ReturnType<typeof readTableOptions>, [text])
}

interface EditsProps extends Editing {
  readonly board: BoardListItem
  readonly all: readonly CardSummary[]
  readonly chosen: readonly CardSummary[]
  readonly onMoveAll: (to: CardStatus) => void
  readonly onDone: (ids: ReadonlySet<string>) => void
  readonly onConflict: (conflict: Conflict) => void
  readonly onClose: () => void
}

/** Changes a card, or all selected ones if it is among them. */
function Edits({
  field,
  card,
  anchor,
  board,
  all,
  chosen,
  onMoveAll,
  onDone,
  onConflict,
  onClose,
}: EditsProps): ReactNode {
  const isOfAll = chosen.length > 1 && chosen.some(({ id }) => id === card.id)
  if (field !== 'status')
    return (
      <CardEdits
        board={board}
        cards={isOfAll ? chosen : [card]}
        all={all}
        field={field}
        anchor={anchor}
        onDone={onDone}
        onConflict={onConflict}
        onClose={onClose}
      />
    )
  if (isOfAll) return <MoveAllMenu count={chosen.length} anchor={anchor} onMove={onMoveAll} onClose={onClose} />
  return <MoveMenu card={{ ...card, board_id: board.id }} anchor={anchor} onClose={onClose} />
}

/** Placeholder rows, shown until the rows are read. */
const ListSkeleton = () => (
  <div className="records-skeleton" role="status" aria-busy="true">
    <span className="hidden">{messages.shell.loading}</span>
    {Array.from({ length: 8 }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: nothing moves here
      <div key={index} aria-hidden="true">
        <span className="skeleton" />
      </div>
    ))}
  </div>
)
