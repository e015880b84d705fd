import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { addressOfRecord } from '../../address.ts'
import { useAddressFilters } from '../../components/address-filters.ts'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Icon } from '../../components/icon.tsx'
import { isPlanStatus, PlanStatusBadge } from '../../components/plan-status.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Select } from '../../components/select.tsx'
import { Time } from '../../components/time.tsx'
import { useCards } from '../../data/cards.ts'
import { useChanged } from '../../data/changed.ts'
import { creating } from '../../data/needs.ts'
import { type PlanKind, type PlanSummary, planStatuses, usePlanList } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import type { BoardPageProps } from '../../page-props.ts'
import { AddDialog } from './add-dialog.tsx'
import { usePlanKind } from './kind.ts'
import { labelsOf, matches, type PlanFilters, readPlanFilters } from './list-filters.ts'
import './planning.css'

const texts = messages.planning

/** The ideations, refinements, specs or sprints of a board, with filters that stand in the address. */
export default function PlanListPage({ board }: BoardPageProps) {
  const kind = usePlanKind()
  const [query, set, clear] = useAddressFilters()
  const filters = readPlanFilters(query)
  const { data, error } = usePlanList(board.id, kind, filters.archived)
  const [isAdding, setAdding] = useState(false)
  const shown = data?.filter(record => matches(record, filters))
  return (
    <>
      <div className="bar plan-bar">
        <h1>{texts.lists[kind].title}</h1>
        {shown !== undefined && shown.length > 0 && (
          <span className="muted numbers" aria-live="polite">
            {texts.count(shown.length)}
          </span>
        )}
        <span className="bar-line" />
        <FilterBar kind={kind} filters={filters} labels={labelsOf(data ?? [])} onChange={set} />
        <Button needs={creating(kind)} className="button primary" onClick={() => setAdding(true)}>
          <Icon name="plus" /> {texts.add(texts.kinds[kind])}
        </Button>
      </div>
      <div className="page plan-list">
        <Failure error={error} />
        {data === undefined && error === null && <ListSkeleton />}
        {data?.length === 0 && <Empty title={texts.lists[kind].empty} lead={texts.lists[kind].lead} />}
        {data !== undefined && data.length > 0 && shown?.length === 0 && (
          <Empty title={texts.nothingMatches}>
            <button type="button" className="button" onClick={clear}>
              {texts.clear}
            </button>
          </Empty>
        )}
        {shown !== undefined && shown.length > 0 && <Records boardId={board.id} records={shown} kind={kind} />}
      </div>
      {isAdding && <AddDialog board={board} kind={kind} onClose={() => setAdding(false)} />}
    </>
  )
}

interface FilterBarProps {
  readonly kind: PlanKind
  readonly filters: PlanFilters
  readonly labels: readonly string[]
  readonly onChange: (name: keyof PlanFilters, value: string) => void
}

const FilterBar = ({ kind, filters, labels, onChange }: FilterBarProps) => (
  <search className="row wrap plan-filters">
    <input
      className="input"
      type="search"
      aria-label={texts.text}
      placeholder={texts.text}
      value={filters.q}
      onChange={event => onChange('q', event.target.value)}
    />
    <Select
      label={texts.statusFilter}
      value={filters.status}
      none={texts.anyStatus}
      options={planStatuses[kind].map(status => ({ value: status as string, label: texts.statuses[status] }))}
      onChange={status => onChange('status', status)}
    />
    {labels.length > 0 && (
      <Select
        label={texts.labelFilter}
        value={filters.label}
        none={texts.anyLabel}
        options={labels.map(label => ({ value: label, label }))}
        onChange={label => onChange('label', label)}
      />
    )}
    <label className="row">
      <input
        type="checkbox"
        checked={filters.archived}
        onChange={event => onChange('archived', event.target.checked ? '1' : '')}
      />
      {texts.withArchived}
    </label>
  </search>
)

interface RecordsProps {
  readonly boardId: string
  readonly records: readonly PlanSummary[]
  readonly kind: PlanKind
}

function Records({ boardId, records, kind }: RecordsProps) {
  const progress = useProgress(boardId)
  return (
    <ul className="plain plan-records">
      {records.map(record => (
        <Row key={record.id} record={record} kind={kind} progress={progress.get(record.id)} />
      ))}
    </ul>
  )
}

interface Progress {
  readonly done: number
  readonly total: number
}

/** How many cards of each spec and sprint are done, as far as they are read. */
function useProgress(boardId: string): ReadonlyMap<string, Progress> {
  const { data: cards } = useCards(boardId)
  return useMemo(() => {
    const progress = new Map<string, Progress>()
    for (const { spec_id, sprint_id, status } of cards ?? [])
      for (const id of [spec_id, sprint_id]) {
        if (id === null || status === 'cancelled') continue
        const { done, total } = progress.get(id) ?? { done: 0, total: 0 }
        progress.set(id, { done: done + (status === 'done' ? 1 : 0), total: total + 1 })
      }
    return progress
  }, [cards])
}

const ListSkeleton = () => (
  <div className="plan-records" role="status">
    <span className="hidden">{messages.shell.loading}</span>
    {[1, 2, 3, 4].map(row => (
      <div key={row} className="plan-row" aria-hidden="true">
        <span className="skeleton" />
      </div>
    ))}
  </div>
)

interface RowProps {
  readonly record: PlanSummary
  readonly kind: PlanKind
  readonly progress: Progress | undefined
}

function Row({ record, kind, progress }: RowProps) {
  const { id, title, status, labels, parent, open_questions, updated_at } = record
  const ref = record.ref ?? id
  return (
    <li className={useChanged(id) ? 'plan-row changed' : 'plan-row'}>
      <Link className="plan-link" href={addressOfRecord(kind, ref)}>
        <span className="ref">{ref}</span>
        <span className="plan-title truncate">{title}</span>
      </Link>
      <span className="row plan-marks">
        {open_questions > 0 && (
          <span className="badge amber" title={texts.openQuestions(open_questions)}>
            <Icon name="question" size={12} /> {open_questions}
          </span>
        )}
        {labels.slice(0, 3).map(label => (
          <span key={label} className="badge truncate">
            {label}
          </span>
        ))}
      </span>
      <span className="plan-parent truncate muted" title={parent?.title}>
        {parent === null ? '' : `${parent.ref} ${parent.title}`}
      </span>
      <span className="plan-progress numbers">
        {progress !== undefined && (
          <>
            <progress value={progress.done} max={progress.total} aria-label={texts.progress} />
            {texts.progressOf(progress.done, progress.total)}
          </>
        )}
      </span>
      {isPlanStatus(status) && <PlanStatusBadge status={status} />}
      <span className="plan-time muted">
        <Time at={updated_at} />
      </span>
    </li>
  )
}
