import { type ComponentType, type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../../components/button.tsx'
import { DisplayButton } from '../../components/display-button.tsx'
import { ClearFilters, FilterButton } from '../../components/filters/chip.tsx'
import { FilterWords } from '../../components/filters/words.tsx'
import { Icon } from '../../components/icon.tsx'
import { useIsNarrow } from '../../components/narrow.ts'
import { opening } from '../../components/part.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import type { CardSummary } from '../../data/cards.ts'
import { creatingCard } from '../../data/needs.ts'
import { useCardType } from '../../data/rights.ts'
import { useLoadedAhead } from '../../later.ts'
import { messages } from '../../messages/messages.ts'
import { ViewMenu } from '../../views/view-menu.tsx'
import type { DisplayProps } from './display-props.ts'
import { FilterChips } from './filter-chips.tsx'
import { isFiltered, readFilters } from './filters.ts'

const FilterMenu = opening(() => import('./filter-menu.tsx'))
const DisplayPanel = opening(() => import('./display-panel.tsx'))

interface BoardBarProps {
  readonly board: BoardListItem
  readonly cards: readonly CardSummary[]
  readonly count: number
  readonly query: URLSearchParams
  /** The search text as it is typed. */
  readonly words: string
  readonly onType: (words: string) => void
  readonly onChange: (query: URLSearchParams) => void
  readonly onClear: () => void
  readonly onAdd: () => void
  readonly title?: string
  /** The control for display options; by default that of the board. */
  readonly display?: ComponentType<DisplayProps>
  /** A menu before the display options, which contains them on a phone. */
  readonly children?: (onDisplay: ((anchor: HTMLElement) => void) | undefined) => ReactNode
}

const texts = messages.board

/** The row above the columns: the view, the filters, display options, and a button for a new card. */
export function BoardBar({
  board,
  cards,
  count,
  query,
  words,
  title = texts.title,
  display: Display = DisplayPanel,
  children,
  ...on
}: BoardBarProps) {
  const [panel, setPanel] = useState<{ readonly kind: 'filter' | 'display'; readonly anchor: HTMLElement }>()
  const filters = { ...readFilters(query), q: words }
  const cardType = useCardType()
  const close = () => setPanel(undefined)
  const openDisplay = (anchor: HTMLElement) => setPanel({ kind: 'display', anchor })
  const isInMenu = useIsNarrow() && children !== undefined
  const working = new Set(cards.flatMap(({ claim }) => claim?.agent_id ?? [])).size
  useLoadedAhead(FilterMenu, DisplayPanel)
  return (
    <div className="bar filtered-bar board-bar">
      <h1>{title}</h1>
      <search className="filter-bar">
        <span className="numbers board-count" aria-live="polite">
          {cards.length > 0 && texts.count(count, cards.length)}
        </span>
        <span className="bar-line" />
        <FilterWords label={texts.filters.text} placeholder={texts.filters.words} words={words} onType={on.onType} />
        <FilterButton isOpen={panel?.kind === 'filter'} onOpen={anchor => setPanel({ kind: 'filter', anchor })} />
        <FilterChips board={board} cards={cards} query={query} filters={filters} onChange={on.onChange} />
        {isFiltered(filters) && <ClearFilters onClear={on.onClear} />}
        <ViewMenu board={board} />
      </search>
      {working > 0 && (
        <Link className="sign ok board-working" href={`/b/${board.key}/now`}>
          <Icon name="now" size={14} /> {texts.atWork(working)}
        </Link>
      )}
      {children?.(isInMenu ? openDisplay : undefined)}
      {!isInMenu && (
        <DisplayButton isOpen={panel?.kind === 'display'} onOpen={openDisplay}>
          <span className="bar-word">{texts.display.title}</span>
        </DisplayButton>
      )}
      <Button className="button primary" needs={creatingCard(cardType)} onClick={on.onAdd}>
        <Icon name="plus" />
        <span className="bar-word">{texts.newCard}</span>
        <kbd className="bar-word">C</kbd>
      </Button>
      {panel?.kind === 'filter' && (
        <FilterMenu
          board={board}
          cards={cards}
          query={query}
          anchor={panel.anchor}
          onChange={on.onChange}
          onClose={close}
        />
      )}
      {panel?.kind === 'display' && (
        <Display query={query} anchor={panel.anchor} onChange={on.onChange} onClose={close} />
      )}
    </div>
  )
}
