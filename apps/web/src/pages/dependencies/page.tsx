import { useMemo } from 'react'
import { useAddressFilters } from '../../components/address-filters.ts'
import { Empty } from '../../components/empty.tsx'
import type { FilterField } from '../../components/filters/fields.ts'
import { Filters } from '../../components/filters/filters.tsx'
import { useKeys } from '../../components/keyboard.ts'
import { useIsNarrow } from '../../components/narrow.ts'
import { Failure } from '../../components/refusal.tsx'
import { Segments } from '../../components/segments.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { isOpen } from '../../data/card-list.ts'
import { type CardSummary, useCards } from '../../data/cards.ts'
import { useDependencies } from '../../data/dependencies.ts'
import { usePlanList } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import type { BoardPageProps } from '../../page-props.ts'
import { Figures } from './figures.tsx'
import { type Network, networkOf } from './network.ts'
import { NetworkGraph } from './network-graph.tsx'
import { NetworkTable } from './network-table.tsx'
import { TopBlockers } from './top-blockers.tsx'
import './dependencies.css'

const texts = messages.dependencies

/** Maximum number of cards that are drawn; more are shown as a table. */
const maxDrawn = 250

/** Which card waits for which, on a board or in one of its specs or sprints; the selection is in the address. */
export default function DependenciesPage({ board }: BoardPageProps) {
  const [query, set, clear] = useAddressFilters()
  const fields = useFields(board)
  const isNarrow = useIsNarrow()
  const { data: cards, error } = useCards(board.id)
  const { data: links, error: linksError } = useDependencies(board.id)
  const of = query.get('of') ?? ''
  const withDone = query.get('done') === '1'
  const view = viewOf(query.get('view'), isNarrow)
  const isOf = useMembership(board, of)
  const network = useMemo(
    () =>
      cards === undefined || links === undefined || isOf === undefined
        ? undefined
        : networkOf(cards, links, { isChosen: isOf, withDone }),
    [cards, links, isOf, withDone],
  )
  const turn = () => set('view', view === 'graph' ? 'table' : 'graph')
  useKeys([{ keys: 'v', says: texts.keys.view, place: 'here', run: turn }])
  const failed = error ?? linksError
  const open = (cards ?? []).filter(card => isOpen(card) && isOf?.(card) === true).length
  return (
    <>
      <div className="bar filtered-bar">
        <h1>{texts.title}</h1>
        <search className="filter-bar">
          <span className="bar-line" />
          <Filters fields={fields} query={query} onChange={set} onClear={clear} />
        </search>
        <Segments
          label={texts.views.label}
          options={texts.views}
          values={views}
          chosen={view}
          onChoose={one => set('view', one)}
        />
      </div>
      <div className="page dependencies">
        <Failure error={failed} />
        {network === undefined && failed === null && <Skeleton />}
        {network !== undefined && <Shown board={board} network={network} view={view} open={open} isWhole={of === ''} />}
      </div>
    </>
  )
}

const views = ['graph', 'table'] as const
type View = (typeof views)[number]

/** A phone shows a table unless the person chooses the graph. */
const viewOf = (choice: string | null, isNarrow: boolean): View =>
  views.find(view => view === choice) ?? (isNarrow ? 'table' : 'graph')

interface ShownProps {
  readonly board: BoardListItem
  readonly network: Network
  readonly view: View
  /** How many of the chosen cards are open. */
  readonly open: number
  readonly isWhole: boolean
}

function Shown({ board, network, view, open, isWhole }: ShownProps) {
  if (network.cards.size === 0)
    return isWhole ? <Empty title={texts.empty} lead={texts.emptyLead} /> : <Empty title={texts.emptyHere} />
  const isDrawn = view === 'graph' && network.cards.size <= maxDrawn
  return (
    <>
      <Figures network={network} open={open} boardKey={board.key} />
      {view === 'graph' && !isDrawn && <p className="muted">{texts.tooMany(network.cards.size)}</p>}
      {isDrawn ? (
        <NetworkGraph network={network} boardKey={board.key} />
      ) : (
        <NetworkTable network={network} boardKey={board.key} />
      )}
      {isDrawn && <TopBlockers network={network} boardKey={board.key} />}
    </>
  )
}

/**
 * The controls for which cards are shown: those of a spec or a sprint, and whether those that are done are included.
 */
function useFields(board: BoardListItem): readonly FilterField[] {
  const { data: specs = [] } = usePlanList(board.id, 'spec')
  const { data: sprints = [] } = usePlanList(board.id, 'sprint')
  return [
    {
      kind: 'choice',
      name: 'of',
      label: texts.of,
      options: [...specs, ...sprints].map(({ id, ref, title }) => ({
        value: ref ?? id,
        label: [ref, title].filter(Boolean).join(' '),
      })),
    },
    { kind: 'mark', name: 'done', label: texts.withDone },
  ]
}

const any = () => true
const none = () => false

/**
 * A filter for the cards of a spec or sprint with a reference; no card passes if there is no such record. Undefined
 * until it is known.
 */
function useMembership(board: BoardListItem, ref: string): ((card: CardSummary) => boolean) | undefined {
  const { data: specs } = usePlanList(board.id, 'spec')
  const { data: sprints } = usePlanList(board.id, 'sprint')
  return useMemo(() => {
    if (ref === '') return any
    if (specs === undefined || sprints === undefined) return undefined
    const id = [...specs, ...sprints].find(record => record.ref === ref)?.id
    return id === undefined ? none : ({ spec_id, sprint_id }: CardSummary) => spec_id === id || sprint_id === id
  }, [ref, specs, sprints])
}

const Skeleton = () => (
  <div className="dependencies-skeleton" aria-busy="true">
    <span className="hidden">{messages.shell.loading}</span>
    {[0, 1, 2, 3, 4, 5].map(node => (
      <span key={node} className="skeleton" aria-hidden="true" />
    ))}
  </div>
)
