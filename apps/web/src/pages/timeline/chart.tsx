import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import { Link } from 'wouter'
import { LegendLine } from '../../components/arrow-heads.tsx'
import { Icon } from '../../components/icon.tsx'
import { useIsNarrow } from '../../components/narrow.ts'
import { Failure } from '../../components/refusal.tsx'
import { StatusSign } from '../../components/status.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { isCardStatus } from '../../data/cards.ts'
import { messages } from '../../messages/messages.ts'
import { Axis } from './axis.tsx'
import { useDateChange } from './date-change.ts'
import { type Range, type Zoom, zooms } from './days.ts'
import { Item } from './item.tsx'
import { Lines, rowHeight } from './lines.tsx'
import type { Plan, Row } from './plan.ts'
import { addressOfRow } from './words.ts'

const texts = messages.timeline

/** px: the column of the names, on a phone and elsewhere. */
const labelWidths = { narrow: 132, wide: 264 }
const widest = 2_400

interface ChartProps {
  readonly board: BoardListItem
  readonly plan: Plan
  readonly zoom: Zoom
  readonly today: number
  readonly todayAsked: number
  readonly folded: ReadonlySet<string>
  readonly onFold: (id: string) => void
}

/** The rows over their axis. Arrows up and down go from row to row. */
export function Chart({ board, plan, zoom, today, todayAsked, folded, onFold }: ChartProps) {
  const { rows, links } = plan
  const scroller = useRef<HTMLDivElement>(null)
  const labelWidth = labelWidths[useIsNarrow() ? 'narrow' : 'wide']
  const dayWidth = zooms[zoom]
  const range = filling(plan.range, dayWidth)
  const width = (range.last - range.first + 1) * dayWidth
  const dating = useDateChange(board.id, today)
  // biome-ignore lint/correctness/useExhaustiveDependencies: shown at first, at another scale, and when it is asked for
  useEffect(() => {
    const element = scroller.current!
    // Today is a quarter from the left, because the future is of more interest.
    const left = (today - range.first) * dayWidth - (element.clientWidth - labelWidth) / 4
    element.scrollTo({ left })
  }, [zoom, todayAsked])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const items = [...scroller.current!.querySelectorAll<HTMLElement>('.timeline-item')]
    const at = document.activeElement instanceof HTMLElement ? items.indexOf(document.activeElement) : -1
    if (step === 0 || at === -1) return
    event.preventDefault()
    items[at + step]?.focus()
  }
  const waits = useMemo(() => Map.groupBy(links, link => link.to), [links])
  return (
    <>
      <Failure error={dating.error} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: leads from one link in it to the next */}
      <div ref={scroller} className="timeline-scroll" onKeyDown={onKeyDown}>
        <div className="timeline-grid" style={{ width: labelWidth + width }}>
          <Axis range={range} zoom={zoom} today={today} labelWidth={labelWidth} height={rows.length * rowHeight} />
          <div className="timeline-rows">
            <Lines plan={plan} range={range} dayWidth={dayWidth} left={labelWidth} width={width} />
            <ul className="plain" aria-label={texts.rows}>
              {rows.map(row => (
                <li key={row.id} className={`timeline-row ${row.kind}`} style={{ height: rowHeight }}>
                  <Label
                    row={row}
                    boardKey={board.key}
                    width={labelWidth}
                    isFolded={folded.has(row.id)}
                    onFold={() => onFold(row.id)}
                  />
                  <Item
                    row={row}
                    boardKey={board.key}
                    today={today}
                    zoom={zoom}
                    range={range}
                    left={labelWidth - range.first * dayWidth}
                    atOdds={(waits.get(row.id) ?? []).filter(({ isAtOdds }) => isAtOdds).map(({ from }) => from)}
                    rows={rows}
                    onChange={(of, span) => dating.mutateAsync({ of, span })}
                  />
                </li>
              ))}
            </ul>
          </div>
        </div>
      </div>
      <Legend />
    </>
  )
}

/** The axis is extended until it fills a wide page. */
const filling = ({ first, last }: Range, dayWidth: number): Range => ({
  first,
  last: Math.max(last, first + Math.ceil(widest / dayWidth)),
})

interface LabelProps {
  readonly row: Row
  readonly boardKey: string
  readonly width: number
  readonly isFolded: boolean
  readonly onFold: () => void
}

function Label({ row, boardKey, width, isFolded, onFold }: LabelProps) {
  const name = row.title === '' ? texts.smallChanges : row.title
  return (
    <div className="timeline-label" style={{ width }}>
      {row.kind === 'spec' && (
        <button
          type="button"
          className="icon-button timeline-fold"
          aria-expanded={!isFolded}
          aria-label={(isFolded ? texts.unfold : texts.fold)(name)}
          onClick={onFold}
        >
          <Icon name={isFolded ? 'chevron' : 'down'} size={14} />
        </button>
      )}
      {row.kind === 'sprint' && <Icon name="flag" size={14} />}
      {row.kind === 'card' && isCardStatus(row.status) && <StatusSign status={row.status} />}
      {row.ref === '' ? (
        <span className="truncate">{name}</span>
      ) : (
        // The mark on the axis leads there, too.
        <Link className="truncate" href={addressOfRow(boardKey, row)} tabIndex={-1} title={`${row.ref} ${name}`}>
          <span className="ref">{row.ref}</span> <bdi>{name}</bdi>
        </Link>
      )}
    </div>
  )
}

const Legend = () => (
  <ul className="plain timeline-legend">
    <li>
      <span className="timeline-sample derived" aria-hidden="true" /> {texts.legend.derived}
    </li>
    <li>
      <LegendLine />
      {texts.legend.waits}
    </li>
    <li>
      <LegendLine kind="odds" />
      {texts.legend.odds}
    </li>
  </ul>
)
