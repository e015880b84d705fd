import { useMemo, useState } from 'react'
import { useAddressFilters } from '../../components/address-filters.ts'
import { Empty } from '../../components/empty.tsx'
import { useKeys } from '../../components/keyboard.ts'
import { Failure } from '../../components/refusal.tsx'
import { useNow } from '../../components/time.tsx'
import { type BoardListItem, useSpecs, useSprints } from '../../data/boards.ts'
import { useCards } from '../../data/cards.ts'
import { useDependencies } from '../../data/dependencies.ts'
import { messages } from '../../messages/messages.ts'
import type { BoardPageProps } from '../../page-props.ts'
import { TimelineBar } from './bar.tsx'
import { Chart } from './chart.tsx'
import { todayOf, type Zoom, zoomNames } from './days.ts'
import { OutOfOrder } from './out-of-order.tsx'
import { planOf } from './plan.ts'
import { Undated } from './undated.tsx'
import './timeline.css'

const texts = messages.timeline

/**
 * The specs, sprints and due cards of a board on a time axis; dates can be changed by dragging, by keys or in a form.
 */
export default function TimelinePage({ board }: BoardPageProps) {
  const [query, set] = useAddressFilters()
  const zoom = zoomNames.find(name => name === query.get('zoom')) ?? 'weeks'
  const withDone = query.get('done') === '1'
  const [todayAsked, setTodayAsked] = useState(0)
  const at = zoomNames.indexOf(zoom)
  const zoomTo = (index: number) => {
    const next = zoomNames[index]
    if (next !== undefined) set('zoom', next)
  }
  const toToday = () => setTodayAsked(todayAsked + 1)
  useKeys([
    { keys: 't', says: texts.keys.today, place: 'here', run: toToday },
    { keys: '+', says: texts.keys.larger, place: 'here', run: () => zoomTo(at - 1) },
    { keys: '-', says: texts.keys.smaller, place: 'here', run: () => zoomTo(at + 1) },
  ])
  return (
    <>
      <TimelineBar
        zoom={zoom}
        withDone={withDone}
        onZoom={name => set('zoom', name)}
        onDone={isShown => set('done', isShown ? '1' : '')}
        onToday={toToday}
      />
      <div className="page timeline">
        <Content board={board} zoom={zoom} withDone={withDone} todayAsked={todayAsked} />
      </div>
    </>
  )
}

interface ContentProps {
  readonly board: BoardListItem
  readonly zoom: Zoom
  readonly withDone: boolean
  /** Incremented when the person asks to scroll to today. */
  readonly todayAsked: number
}

function Content({ board, zoom, withDone, todayAsked }: ContentProps) {
  const { data: specs, error: specsError } = useSpecs(board.id)
  const { data: sprints, error: sprintsError } = useSprints(board.id)
  const { data: cards, error: cardsError } = useCards(board.id)
  const { data: links, error: linksError } = useDependencies(board.id)
  const today = todayOf(useNow())
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const plan = useMemo(
    () =>
      specs === undefined || sprints === undefined || cards === undefined || links === undefined
        ? undefined
        : planOf({ specs, sprints, cards, links }, { today, withDone, folded }),
    [specs, sprints, cards, links, today, withDone, folded],
  )
  const error = specsError ?? sprintsError ?? cardsError ?? linksError
  if (plan === undefined) return error === null ? <Skeleton /> : <Failure error={error} />
  return (
    <>
      {plan.rows.length === 0 ? (
        <Empty title={texts.empty} lead={texts.emptyLead} />
      ) : (
        <Chart
          board={board}
          plan={plan}
          zoom={zoom}
          today={today}
          todayAsked={todayAsked}
          folded={folded}
          onFold={id => setFolded(folded.symmetricDifference(new Set([id])))}
        />
      )}
      <OutOfOrder plan={plan} boardKey={board.key} today={today} />
      <Undated board={board} sprints={plan.undated} />
    </>
  )
}

const Skeleton = () => (
  <div className="timeline-skeleton" aria-busy="true">
    <span className="hidden">{messages.shell.loading}</span>
    {[0, 1, 2, 3, 4].map(row => (
      <span key={row} className="skeleton" aria-hidden="true" />
    ))}
  </div>
)
