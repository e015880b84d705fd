import { useCallback, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { planFolders } from '../../address.ts'
import { useAddressFilters } from '../../components/address-filters.ts'
import { Button } from '../../components/button.tsx'
import { DisplayButton } from '../../components/display-button.tsx'
import { Empty } from '../../components/empty.tsx'
import type { FilterField } from '../../components/filters/fields.ts'
import { Filters } from '../../components/filters/filters.tsx'
import { NoMatch } from '../../components/filters/no-match.tsx'
import { FilterWords } from '../../components/filters/words.tsx'
import { Icon } from '../../components/icon.tsx'
import { useIsNarrow } from '../../components/narrow.ts'
import { Failure } from '../../components/refusal.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { knownLabels } from '../../data/labels.ts'
import { creating } from '../../data/needs.ts'
import { type PlanKind, type PlanSummary, planStatuses, usePlanList } from '../../data/planning.ts'
import { saveFile } from '../../data/save-file.ts'
import { messages } from '../../messages/messages.ts'
import type { BoardPageProps } from '../../page-props.ts'
import { nextSort, readTableOptions, withSort } from '../../table/address.ts'
import { csvOf } from '../../table/csv.ts'
import { grouped, sorted } from '../../table/model.ts'
import { MoreMenu } from '../../table/more-menu.tsx'
import { RecordTable, type TableHandle } from '../../table/record-table.tsx'
import { useRowKeys } from '../../table/row-keys.ts'
import { type TableChoices, TableDisplay } from '../../table/table-display.tsx'
import { ViewMenu } from '../../views/view-menu.tsx'
import { AddDialog } from './add-dialog.tsx'
import { usePlanKind } from './kind.ts'
import { matches, readPlanFilters, withoutPlanFilters } from './list-filters.ts'
import { type EditPlan, PlanEditContext } from './plan-cells.tsx'
import {
  choosableOf,
  columnsOfKind,
  defaultOptionsOf,
  groupingsOfKind,
  labelOf,
  planOnPhone,
  usePlanColumns,
} from './plan-columns.tsx'
import { type PlanEditing, PlanEdits } from './plan-edits.tsx'
import '../board/board.css'
import './planning.css'

const texts = messages.planning

/** The ideations, refinements, specs or sprints of a board as a table, with filters in the address. */
export default function PlanListPage({ board }: BoardPageProps) {
  const kind = usePlanKind()
  return <PlanList key={kind} board={board} kind={kind} />
}

const noRecords: readonly PlanSummary[] = []

function PlanList({ board, kind }: { readonly board: BoardListItem; readonly kind: PlanKind }) {
  const [query, set, clearSome] = useAddressFilters()
  const [, setQuery] = useSearchParams()
  const filters = readPlanFilters(query)
  const { data, error } = usePlanList(board.id, kind, filters.archived)
  const [isAdding, setAdding] = useState(false)
  const [anchor, setAnchor] = useState<HTMLElement>()
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const [editing, setEditing] = useState<PlanEditing>()
  const table = useRef<TableHandle>(null)
  const isNarrow = useIsNarrow()
  const choices = useMemo(() => choicesOf(kind), [kind])
  const look = readTableOptions(query, choices.order, choices.groupings, choices.usual)
  const { columns, groupings, summaryOf } = usePlanColumns(board, kind, look.columns)
  const matchingRecords = data?.filter(record => matches(record, filters))
  const grouping = groupings.find(({ id }) => id === look.group)
  const groups = grouped(sorted(matchingRecords ?? noRecords, columns, look.sort), grouping)
  const visible = columns.filter(({ id }) =>
    isNarrow ? planOnPhone.has(id) : id === 'ref' || id === 'title' || (look.columns.includes(id) && id !== look.group),
  )
  const rows = groups.flatMap(({ rows: ofGroup }) => ofGroup)
  const edit = useCallback<EditPlan>((field, record, at) => setEditing({ field, record, anchor: at }), [])
  useRowKeys(
    table,
    groups.flatMap(({ key, rows: ofGroup }) => (grouping !== undefined && folded.has(key ?? '') ? [] : ofGroup)),
  )
  // Clearing the filters keeps the display options of the table in the address.
  const clear = () => setQuery(now => withoutPlanFilters(now), { replace: true })
  return (
    <PlanEditContext value={edit}>
      <div className="records-page plan-records-page">
        <div className="bar filtered-bar plan-bar">
          <h1>{texts.lists[kind].title}</h1>
          <search className="filter-bar">
            {matchingRecords !== undefined && matchingRecords.length > 0 && (
              <span className="muted numbers plan-count" aria-live="polite">
                {texts.count(matchingRecords.length)}
              </span>
            )}
            <span className="bar-line" />
            <FilterWords label={texts.text} words={filters.q} onType={words => set('q', words)} />
            <Filters
              fields={fieldsOf(kind, knownLabels(data ?? noRecords))}
              query={query}
              onChange={set}
              onClear={clearSome}
            />
            <ViewMenu board={board} />
          </search>
          <MoreMenu
            onDisplay={isNarrow ? setAnchor : undefined}
            onExport={() =>
              void saveFile(
                new Response(csvOf(isNarrow ? columns : visible, rows), { headers: { 'content-type': 'text/csv' } }),
                texts.file(board.key, planFolders[kind]),
              )
            }
          />
          {!isNarrow && (
            <DisplayButton isOpen={anchor !== undefined} onOpen={setAnchor}>
              <span className="bar-word">{messages.list.display.title}</span>
            </DisplayButton>
          )}
          <Button needs={creating(kind)} className="button primary" onClick={() => setAdding(true)}>
            <Icon name="plus" /> <span className="bar-word">{texts.add(texts.kinds[kind])}</span>
          </Button>
        </div>
        <Failure error={error} />
        {data === undefined && error === null && <ListSkeleton />}
        {data?.length === 0 && <Empty title={texts.lists[kind].empty} lead={texts.lists[kind].lead} />}
        {data !== undefined && data.length > 0 && matchingRecords?.length === 0 && (
          <NoMatch title={texts.nothingMatches} onClear={clear} />
        )}
        {rows.length > 0 && (
          <RecordTable
            caption={texts.lists[kind].title}
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
          />
        )}
      </div>
      {anchor !== undefined && (
        <TableDisplay
          choices={choices}
          query={query}
          anchor={anchor}
          onChange={next => setQuery(next)}
          onClose={() => setAnchor(undefined)}
        />
      )}
      <PlanEdits
        board={board}
        kind={kind}
        all={data ?? noRecords}
        editing={editing}
        onClose={() => setEditing(undefined)}
      />
      {isAdding && <AddDialog board={board} kind={kind} onClose={() => setAdding(false)} />}
    </PlanEditContext>
  )
}

const refOf = ({ ref, title }: PlanSummary): string => ref ?? title

const choicesOf = (kind: PlanKind): TableChoices => ({
  order: columnsOfKind(kind),
  choosable: choosableOf(kind),
  groupings: groupingsOfKind(kind),
  usual: defaultOptionsOf(kind),
  labels: Object.fromEntries(columnsOfKind(kind).map(id => [id, labelOf(kind, id)])),
  unsorted: texts.byUpdate,
})

/** The filters of a list, other than the search text. */
const fieldsOf = (kind: PlanKind, labels: readonly string[]): readonly FilterField[] => [
  {
    kind: 'choice',
    name: 'status',
    label: texts.statusFilter,
    options: planStatuses[kind].map(status => ({ value: status, label: texts.statuses[status] })),
  },
  {
    kind: 'choice',
    name: 'label',
    label: texts.labelFilter,
    options: labels.map(label => ({ value: label, label })),
  },
  { kind: 'mark', name: 'archived', label: texts.withArchived },
]

const ListSkeleton = () => (
  <div className="records-skeleton" role="status">
    <span className="hidden">{messages.shell.loading}</span>
    {[1, 2, 3, 4].map(row => (
      <div key={row} aria-hidden="true">
        <span className="skeleton" />
      </div>
    ))}
  </div>
)
