import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  memo,
  type RefObject,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Icon } from '../components/icon.tsx'
import { useIsNarrow } from '../components/narrow.ts'
import { openPopover } from '../components/popover.ts'
import { usePrinting } from '../components/printing.ts'
import { useChanged } from '../data/changed.ts'
import { usePreferences } from '../data/use-preferences.ts'
import { number } from '../messages/format.ts'
import { messages } from '../messages/messages.ts'
import type { TableOptions } from './address.ts'
import {
  type Grouping,
  type Line,
  linesOf,
  nameOfGroup,
  type RowGroup,
  type TableColumn,
  type TableRow,
} from './model.ts'
import { RowTab } from './row-tab.ts'
import { minWidth, widthOf } from './widths.ts'
import './table.css'

/** What keyboard shortcuts need from a table. */
export interface TableHandle {
  /** Scrolls a row into view and focuses it. */
  show(id: string): void
}

interface RecordTableProps<Row extends TableRow> {
  readonly caption: string
  /** The shown rows, in order. */
  readonly columns: readonly TableColumn<Row>[]
  readonly groups: readonly RowGroup<Row>[]
  readonly grouping: Grouping<Row> | undefined
  readonly sort: TableOptions['sort']
  readonly onSort: (column: string) => void
  /** The name of a row in the labels of its controls. */
  readonly nameOf: (row: Row) => string
  /** A summary of the rows of a group, at the end of its head. */
  readonly summaryOf: (rows: readonly Row[]) => string
  readonly folded: ReadonlySet<string>
  readonly onFold: (name: string) => void
  readonly handle: RefObject<TableHandle | null>
  /** The selection of rows; without it they cannot be selected. */
  readonly selection?: Selection | undefined
}

/** Which rows are selected. */
export interface Selection {
  readonly selected: ReadonlySet<string>
  readonly toggle: (id: string) => void
  readonly toggleAll: (isSelected: boolean) => void
}

const texts = messages.list

/** A table with no more lines than this renders all of them, without measuring. */
const fewLines = 60

/** The height of a line before it is measured, and of the head, px. */
const usualHeight = { roomy: 36, compact: 28 }
const headHeight = 32

/** Room at the end of the page for the footer and the selection bar, px. */
const footRoom = 96

/**
 * A table of records: sorted by its heads, grouped, with totals. Of many rows, only those on the screen are rendered.
 */
export function RecordTable<Row extends TableRow>(props: RecordTableProps<Row>) {
  const { caption, columns, groups, grouping, folded, handle, selection } = props
  const scroller = useRef<HTMLElement>(null)
  const isPrinting = usePrinting()
  const isNarrow = useIsNarrow()
  const { density } = usePreferences()
  const isGrouped = grouping !== undefined
  // While scrolling, only the window changes; the totals of all rows stay.
  const lines = useMemo(() => linesOf(groups, isGrouped, folded), [groups, isGrouped, folded])
  const rows = useMemo(() => groups.flatMap(group => group.rows), [groups])
  const isWindowed = lines.length > fewLines && !isPrinting
  const getItemKey = useCallback((index: number) => keyOfLine(lines[index]!), [lines])
  const virtualizer = useVirtualizer({
    count: lines.length,
    enabled: isWindowed,
    getScrollElement: () => scroller.current,
    estimateSize: () => usualHeight[density],
    getItemKey,
    overscan: 6,
    scrollPaddingStart: headHeight + usualHeight.roomy,
    scrollPaddingEnd: footRoom,
  })
  const [focusedId, setFocusedId] = useState<string>()
  const hadFocus = useRef(false)

  const show = (id: string) => {
    const index = lines.findIndex(line => line.kind === 'row' && line.row.id === id)
    if (index === -1) return
    if (isWindowed) virtualizer.scrollToIndex(index)
    setFocusedId(id)
    const link = () => scroller.current?.querySelector<HTMLElement>(`[data-row="${id}"] [data-entry]`)
    const anchor = link()
    // A row that was not on the screen is rendered now.
    if (anchor === null || anchor === undefined) requestAnimationFrame(() => link()?.focus())
    else anchor.focus()
  }
  useImperativeHandle(handle, () => ({ show }))

  // When the focused row moves, the focus moves with it; when it disappears, the next row gets the focus.
  const linesBefore = useRef<readonly Line<Row>[]>([])
  useLayoutEffect(() => {
    const before = linesBefore.current
    linesBefore.current = lines
    if (!hadFocus.current || focusedId === undefined || document.activeElement !== document.body) return
    if (document.querySelector(`dialog[open], ${openPopover}`) !== null) return
    const [old, now] = [idsIn(before), new Set(idsIn(lines))]
    const at = old.indexOf(focusedId)
    const candidates = [focusedId, ...old.slice(at + 1), ...old.slice(0, Math.max(at, 0)).reverse()]
    const next = candidates.find(id => now.has(id))
    if (next !== undefined) show(next)
  })

  const slots = isWindowed ? virtualizer.getVirtualItems() : lines.map((_, index) => ({ index, start: 0, end: 0 }))
  const above = isWindowed ? (slots[0]?.start ?? 0) : 0
  const below = isWindowed ? virtualizer.getTotalSize() - (slots.at(-1)?.end ?? 0) : 0
  const entry = useMemo(() => (rows.some(({ id }) => id === focusedId) ? focusedId : rows[0]?.id), [rows, focusedId])
  const ids = [...(selection === undefined ? [] : ['select']), ...columns.map(({ id }) => id)]
  const width = ids.length
  return (
    <section
      ref={scroller}
      className="records-scroll"
      tabIndex={rows.length === 0 ? 0 : -1}
      aria-label={caption}
      onFocus={() => {
        hadFocus.current = true
      }}
      onBlur={({ relatedTarget, currentTarget }) => {
        // If nothing has the focus, the element that had it may have been removed.
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) hadFocus.current = false
      }}
      onPointerDown={() => {
        hadFocus.current = false
      }}
    >
      <table
        className="records"
        aria-rowcount={lines.length + 1}
        style={isNarrow || isPrinting ? undefined : { minWidth: minWidth(ids) }}
      >
        <caption className="hidden">{caption}</caption>
        <colgroup>
          {ids.map(id => (
            <col key={id} className={`col-${id}`} style={isPrinting ? undefined : { width: widthOf(id, isNarrow) }} />
          ))}
        </colgroup>
        <Heads columns={columns} sort={props.sort} onSort={props.onSort} selection={selection} rows={rows} />
        {above > 0 && <Space height={above} width={width} />}
        {chunksOf(slots, lines).map(chunk => (
          <tbody key={nameOfGroup(chunk.group.key)}>
            {chunk.indexes.map(index => {
              const line = lines[index]!
              return line.kind === 'group' ? (
                <GroupHead
                  key=" "
                  {...props}
                  index={index}
                  group={line.group}
                  width={width}
                  measure={isWindowed ? virtualizer.measureElement : undefined}
                />
              ) : (
                <RowView
                  key={line.row.id}
                  row={line.row}
                  index={index}
                  columns={columns}
                  name={props.nameOf(line.row)}
                  isEntry={line.row.id === entry}
                  isSelected={selection?.selected.has(line.row.id)}
                  onToggle={selection?.toggle}
                  onFocus={setFocusedId}
                  measure={isWindowed ? virtualizer.measureElement : undefined}
                />
              )
            })}
          </tbody>
        ))}
        {below > 0 && <Space height={below} width={width} />}
        <Totals columns={columns} rows={rows} hasSelection={selection !== undefined} />
      </table>
    </section>
  )
}

/** The ids of the rows among lines. */
const idsIn = <Row extends TableRow>(lines: readonly Line<Row>[]): readonly string[] =>
  lines.flatMap(line => (line.kind === 'row' ? line.row.id : []))

const keyOfLine = <Row extends TableRow>(line: Line<Row>): string =>
  line.kind === 'row' ? line.row.id : `group ${nameOfGroup(line.group.key)}`

/** The rendered lines, by group. */
function chunksOf<Row extends TableRow>(slots: readonly { readonly index: number }[], lines: readonly Line<Row>[]) {
  const chunks: { readonly group: RowGroup<Row>; readonly indexes: number[] }[] = []
  for (const { index } of slots) {
    const line = lines[index]
    if (line === undefined) continue
    if (chunks.at(-1)?.group !== line.group) chunks.push({ group: line.group, indexes: [] })
    chunks.at(-1)!.indexes.push(index)
  }
  return chunks
}

/** Keeps the space of lines that are not rendered. */
const Space = ({ height, width }: { readonly height: number; readonly width: number }) => (
  <tbody aria-hidden="true">
    <tr>
      <td colSpan={width} className="records-space" style={{ height } satisfies CSSProperties} />
    </tr>
  </tbody>
)

type HeadsProps<Row extends TableRow> = Pick<RecordTableProps<Row>, 'columns' | 'sort' | 'onSort' | 'selection'> & {
  readonly rows: readonly Row[]
}

function PlainHeads<Row extends TableRow>({ columns, sort, onSort, selection, rows }: HeadsProps<Row>) {
  const count = selection === undefined ? 0 : rows.filter(({ id }) => selection.selected.has(id)).length
  return (
    <thead>
      <tr aria-rowindex={1}>
        {selection !== undefined && (
          <th scope="col">
            <input
              type="checkbox"
              aria-label={texts.selectAll}
              checked={count > 0 && count === rows.length}
              ref={box => {
                if (box !== null) box.indeterminate = count > 0 && count < rows.length
              }}
              onChange={event => selection.toggleAll(event.target.checked)}
            />
          </th>
        )}
        {columns.map(({ id, label, isNumber, isSign, sortBy }) => {
          const by = sort?.column === id ? (sort.isDescending ? 'descending' : 'ascending') : undefined
          return (
            <th key={id} scope="col" className={isNumber ? `head-${id} number` : `head-${id}`} aria-sort={by}>
              {sortBy === undefined ? (
                <span className={isSign ? 'hidden' : undefined}>{label}</span>
              ) : (
                <button type="button" className="records-sort" title={texts.sortBy(label)} onClick={() => onSort(id)}>
                  <span className={isSign ? 'hidden' : undefined}>{label}</span>
                  {isSign && by === undefined && <Icon name="switch" size={12} />}
                  {by !== undefined && <Icon name={by === 'ascending' ? 'up' : 'down'} size={12} />}
                </button>
              )}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

/** The heads; re-rendered only when they or the rows change. */
const Heads = memo(PlainHeads) as typeof PlainHeads

type Measure = ((element: HTMLElement | null) => void) | undefined

interface GroupHeadProps<Row extends TableRow>
  extends Pick<RecordTableProps<Row>, 'grouping' | 'summaryOf' | 'folded' | 'onFold'> {
  readonly group: RowGroup<Row>
  readonly index: number
  readonly width: number
  readonly measure: Measure
}

function GroupHead<Row extends TableRow>({
  grouping,
  group,
  index,
  width,
  summaryOf,
  folded,
  onFold,
  measure,
}: GroupHeadProps<Row>) {
  const name = nameOfGroup(group.key)
  const isFolded = folded.has(name)
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2} className="records-group">
      <th scope="rowgroup" colSpan={width}>
        <span className="records-group-head">
          <button type="button" className="records-fold" aria-expanded={!isFolded} onClick={() => onFold(name)}>
            <span className={isFolded ? 'fold' : 'fold open'}>
              <Icon name="chevron" size={14} />
            </span>
            {grouping?.sign?.(group.key)}
            <bdi className="truncate">{grouping?.title(group.key)}</bdi>
          </button>
          <span className="numbers records-count">{number(group.rows.length)}</span>
          <bdi className="records-summary truncate">{summaryOf(group.rows)}</bdi>
        </span>
      </th>
    </tr>
  )
}

interface RowViewProps<Row extends TableRow> {
  readonly row: Row
  readonly index: number
  readonly columns: readonly TableColumn<Row>[]
  readonly name: string
  /** Whether Tab leads to it: the arrows lead to the others. */
  readonly isEntry: boolean
  readonly isSelected: boolean | undefined
  readonly onToggle: ((id: string) => void) | undefined
  readonly onFocus: (id: string) => void
  readonly measure: Measure
}

function PlainRow<Row extends TableRow>(props: RowViewProps<Row>) {
  const { row, index, columns, name, isEntry, isSelected, onToggle, onFocus, measure } = props
  const tabIndex = isEntry ? 0 : -1
  const classes = [isSelected && 'selected', useChanged(row.id) && 'changed', isEntry && 'entry']
  return (
    <tr
      ref={measure}
      data-index={index}
      data-row={row.id}
      aria-rowindex={index + 2}
      className={classes.filter(Boolean).join(' ')}
      onFocus={() => onFocus(row.id)}
    >
      {onToggle !== undefined && (
        <td>
          <input
            type="checkbox"
            tabIndex={tabIndex}
            aria-label={texts.select(name)}
            checked={isSelected === true}
            onChange={() => onToggle(row.id)}
          />
        </td>
      )}
      <RowTab value={tabIndex}>
        {columns.map(({ id, cell, isNumber }) =>
          id === 'title' ? (
            <th key={id} scope="row">
              {cell(row)}
            </th>
          ) : (
            <td key={id} className={isNumber ? 'number' : undefined}>
              {cell(row)}
            </td>
          ),
        )}
      </RowTab>
    </tr>
  )
}

/** A row; re-rendered only when it or its position changes. */
const RowView = memo(PlainRow) as typeof PlainRow

interface TotalsProps<Row extends TableRow> {
  readonly columns: readonly TableColumn<Row>[]
  readonly rows: readonly Row[]
  readonly hasSelection: boolean
}

/** The totals of all rows; nothing if there are none. */
function PlainTotals<Row extends TableRow>({ columns, rows, hasSelection }: TotalsProps<Row>) {
  if (rows.length === 0) return null
  return (
    <tfoot>
      <tr>
        {hasSelection && <td />}
        {columns.map(({ id, total, isNumber }) => (
          <td key={id} className={isNumber ? 'number' : undefined}>
            {total?.(rows)}
          </td>
        ))}
      </tr>
    </tfoot>
  )
}

/** The totals; re-rendered only when the columns or the rows change. */
const Totals = memo(PlainTotals) as typeof PlainTotals
