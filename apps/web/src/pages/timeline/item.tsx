import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { Link } from 'wouter'
import { announce } from '../../components/announcer.tsx'
import { changing } from '../../data/needs.ts'
import { useClosure } from '../../data/rights.ts'
import { messages } from '../../messages/messages.ts'
import type { DatedRow } from './date-change.ts'
import { DatesDialog } from './dates-dialog.tsx'
import { type Range, stepOf, type Zoom, zooms } from './days.ts'
import { firstOf, lastOf, moved, type Row, type Span, stretched, within } from './plan.ts'
import { addressOfRow, rowWords, spanWords } from './words.ts'

const texts = messages.timeline

interface ItemProps {
  readonly row: Row
  readonly rows: readonly Row[]
  readonly boardKey: string
  readonly today: number
  readonly zoom: Zoom
  readonly range: Range
  /** px: where day 0 would be. */
  readonly left: number
  /** The rows that it waits for, although they end later. */
  readonly atOdds: readonly string[]
  readonly onChange: (of: DatedRow, span: Span) => Promise<unknown>
}

/** An item on the axis: the bar of a spec or sprint, or the mark of a due card. It links to its record. */
export function Item(props: ItemProps) {
  const { row, boardKey, today, zoom, left, range } = props
  if (row.kind === 'spec') {
    const place = barOf(within(row.span, range), left, zooms[zoom])
    return row.ref === '' ? (
      <span className="timeline-span derived" style={place} />
    ) : (
      <Link
        className="timeline-item timeline-span derived"
        href={addressOfRow(boardKey, row)}
        style={place}
        aria-label={rowWords(row, row.span, today)}
        title={spanWords(row.span, today, row.kind)}
      />
    )
  }
  return <DatedItem {...props} row={row} />
}

/** px: the minimum target size (WCAG 2.5.8). */
const narrowest = 24

const barOf = (span: Span, left: number, dayWidth: number) => ({
  left: left + firstOf(span) * dayWidth,
  width: Math.max((lastOf(span) - firstOf(span) + 1) * dayWidth, narrowest),
})

const markOf = ({ end }: Span, left: number, dayWidth: number) => ({ left: left + (end! + 0.5) * dayWidth })

/** Which part of a bar is dragged. */
type Grip = 'whole' | 'start' | 'end'

interface Drag {
  readonly grip: Grip
  readonly x: number
  readonly span: Span
}

interface DatedItemProps extends ItemProps {
  readonly row: Exclude<Row, { kind: 'spec' }>
}

/** It is moved by dragging or by keys, and saved when it is dropped or Enter is pressed. */
function DatedItem({ row, rows, boardKey, today, zoom, left, range, atOdds, onChange }: DatedItemProps) {
  const [pending, setPending] = useState<Span>()
  const [isWriting, setWriting] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const drag = useRef<Drag>(undefined)
  const wasDragged = useRef(false)
  const closure = useClosure(needsOf(row))
  const dayWidth = zooms[zoom]
  const currentSpan = pending ?? row.span
  const visibleSpan = within(currentSpan, range)
  const isMoved = pending !== undefined && !isSame(pending, row.span)
  const change = (span: Span) => {
    setPending(span)
    announce(spanWords(span, today, row.kind))
  }
  const write = async (span: Span) => {
    if (isWriting) return
    if (isSame(span, row.span)) return setPending(undefined)
    setWriting(true)
    // It stays where it was dropped until the list is read again; if the change is refused, it goes back.
    await onChange(row, span).catch(() => {})
    setWriting(false)
    setPending(undefined)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || closure !== undefined) return
    const side = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (side !== 0) {
      const days = side * stepOf[zoom]
      change(event.shiftKey && row.kind === 'sprint' ? stretched(currentSpan, 'end', days) : moved(currentSpan, days))
    } else if (event.key === 'Escape' && isMoved) {
      setPending(undefined)
      announce(spanWords(row.span, today, row.kind))
    } else if (event.key === 'Enter' && isMoved) void write(currentSpan)
    else if (event.key.toLowerCase() === 'd') setOpen(true)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const begin = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || closure !== undefined || event.pointerType === 'touch') return
    const part = event.target instanceof HTMLElement ? event.target.dataset.grip : undefined
    drag.current = { grip: part === 'start' || part === 'end' ? part : 'whole', x: event.clientX, span: row.span }
    wasDragged.current = false
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const follow = (event: PointerEvent<HTMLElement>) => {
    const { grip, x, span } = drag.current ?? {}
    if (grip === undefined || span === undefined) return
    const days = Math.round((event.clientX - x!) / dayWidth)
    if (days !== 0) wasDragged.current = true
    if (wasDragged.current) setPending(grip === 'whole' ? moved(span, days) : stretched(span, grip, days))
  }
  const end = () => {
    if (drag.current === undefined) return
    drag.current = undefined
    if (pending !== undefined) void write(pending)
  }
  const classes = [
    'timeline-item',
    row.kind === 'card' ? 'timeline-due' : 'timeline-span',
    row.status,
    row.isLate && 'late',
    pending !== undefined && 'moving',
    closure === undefined && 'movable',
    row.kind === 'sprint' && (row.span.start === null || row.span.end === null) && 'unsettled',
  ]
  const may = row.kind === 'card' ? texts.hintDue : texts.hint
  const hint = closure === undefined ? may : messages.permissions.lacks(closure.permission)
  const odds = atOdds.map(id => texts.before(row.ref, rows.find(one => one.id === id)!.ref))
  return (
    <>
      <Link
        className={classes.filter(Boolean).join(' ')}
        href={addressOfRow(boardKey, row)}
        style={row.kind === 'card' ? markOf(visibleSpan, left, dayWidth) : barOf(visibleSpan, left, dayWidth)}
        aria-label={[rowWords(row, currentSpan, today), ...odds].join(', ')}
        aria-description={hint}
        aria-busy={isWriting}
        title={spanWords(currentSpan, today, row.kind)}
        draggable={false}
        onClick={event => {
          // A click that ends a drag does not open it.
          if (wasDragged.current || isMoved) event.preventDefault()
          wasDragged.current = false
        }}
        onKeyDown={onKeyDown}
        onPointerDown={begin}
        onPointerMove={follow}
        onPointerUp={end}
        onPointerCancel={() => {
          drag.current = undefined
          setPending(undefined)
        }}
        onBlur={() => {
          if (isMoved && drag.current === undefined) void write(currentSpan)
        }}
        onContextMenu={event => {
          if (closure !== undefined) return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {row.kind === 'sprint' && (
          <>
            <progress className="timeline-progress" aria-hidden="true" value={row.done} max={Math.max(row.total, 1)} />
            <span className="timeline-grip" data-grip="start" />
            <span className="timeline-grip end" data-grip="end" />
          </>
        )}
      </Link>
      {pending !== undefined && (
        <span className="timeline-tip" style={{ left: left + (lastOf(visibleSpan) + 1) * dayWidth + 12 }}>
          {spanWords(currentSpan, today, row.kind)}
          {drag.current === undefined && !isWriting && <small>{texts.unsaved}</small>}
        </span>
      )}
      {isOpen && <DatesDialog of={row} onSend={span => onChange(row, span)} onClose={() => setOpen(false)} />}
    </>
  )
}

const isSame = (a: Span, b: Span): boolean => a.start === b.start && a.end === b.end

/** The permissions needed to change the dates of a row. */
const needsOf = ({ kind, status }: DatedItemProps['row']) =>
  kind === 'card' ? changing('card', status, 'due_date') : changing('sprint', status, 'start_date')
