import { useState } from 'react'
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
    <div className="page plan-list">
      <div className="row">
        <h1 className="grow">{texts.lists[kind].title}</h1>
        <Button needs={creating(kind)} className="button primary" onClick={() => setAdding(true)}>
          <Icon name="plus" /> {texts.add(texts.kinds[kind])}
        </Button>
      </div>
      <FilterBar kind={kind} filters={filters} labels={labelsOf(data ?? [])} onChange={set} />
      <Failure error={error} />
      {data === undefined && error === null && <p className="muted">{messages.shell.loading}</p>}
      {data?.length === 0 && <Empty title={texts.lists[kind].empty} lead={texts.lists[kind].lead} />}
      {data !== undefined && data.length > 0 && shown?.length === 0 && (
        <Empty title={texts.nothingMatches}>
          <button type="button" className="button" onClick={clear}>
            {texts.clear}
          </button>
        </Empty>
      )}
      {shown !== undefined && shown.length > 0 && <Records records={shown} kind={kind} />}
      {isAdding && <AddDialog board={board} kind={kind} onClose={() => setAdding(false)} />}
    </div>
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
  readonly records: readonly PlanSummary[]
  readonly kind: PlanKind
}

const Records = ({ records, kind }: RecordsProps) => (
  <>
    <p className="muted numbers" aria-live="polite">
      {texts.count(records.length)}
    </p>
    <ul className="plain plan-records">
      {records.map(record => (
        <Row key={record.id} record={record} kind={kind} />
      ))}
    </ul>
  </>
)

function Row({ record, kind }: { readonly record: PlanSummary; readonly kind: PlanKind }) {
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
      {isPlanStatus(status) && <PlanStatusBadge status={status} />}
      <span className="plan-time muted">
        <Time at={updated_at} />
      </span>
    </li>
  )
}
