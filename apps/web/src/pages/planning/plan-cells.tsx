import { createContext, type ReactNode, useContext } from 'react'
import { Guarded } from '../../components/guarded.tsx'
import { Avatar, tintOf } from '../../components/person.tsx'
import { isPlanStatus, PlanStatusSign } from '../../components/plan-status.tsx'
import { changing, type Needs, writingIn } from '../../data/needs.ts'
import type { PlanKind, PlanSummary } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import { useRowTab } from '../../table/row-tab.ts'

/** What of a record is changed in its row. */
export type PlanField = 'status' | 'labels' | 'assignee'

/** Lets somebody choose what a record gets. */
export type EditPlan = (field: PlanField, record: PlanSummary, anchor: HTMLElement) => void

export const PlanEditContext = createContext<EditPlan>(() => {})

const texts = messages.planning

interface CellProps {
  readonly kind: PlanKind
  readonly record: PlanSummary
}

interface EditedCellProps extends CellProps {
  readonly field: PlanField
  readonly needs: Needs
  readonly children: ReactNode
}

/** A value that is changed where it stands; closed for who may not. */
function EditedCell({ record, field, needs, children }: EditedCellProps) {
  const edit = useContext(PlanEditContext)
  const tabIndex = useRowTab()
  return (
    <Guarded needs={needs}>
      {closed => (
        <button
          type="button"
          className="cell-button"
          tabIndex={tabIndex}
          aria-haspopup={field === 'status' ? 'menu' : 'dialog'}
          data-field={field}
          onClick={event => edit(field, record, event.currentTarget)}
          {...closed}
        >
          <span className="hidden">{messages.list.of(texts.columns[field], record.ref ?? record.title)}</span>
          {children}
        </button>
      )}
    </Guarded>
  )
}

const statusOf = ({ status }: PlanSummary): string => status ?? 'draft'

export function StatusCell({ kind, record }: CellProps) {
  const { status } = record
  if (!isPlanStatus(status)) return null
  return (
    <EditedCell kind={kind} record={record} field="status" needs={[writingIn(kind, status)]}>
      <PlanStatusSign status={status} />
      <span className="truncate">{texts.statuses[status]}</span>
    </EditedCell>
  )
}

/** How many labels a cell shows. */
const mostLabels = 2

export const LabelsCell = ({ kind, record }: CellProps) => (
  <EditedCell kind={kind} record={record} field="labels" needs={changing(kind, statusOf(record), 'labels')}>
    {record.labels.length === 0 && (
      <span className="without">
        <span aria-hidden="true">{messages.list.none}</span>
        <span className="hidden">{messages.list.noLabels}</span>
      </span>
    )}
    {record.labels.slice(0, mostLabels).map(label => (
      <span key={label} className="plan-label row">
        <span className={`dot tint-${tintOf(label)}`} />
        <bdi className="truncate">{label}</bdi>
      </span>
    ))}
    {record.labels.length > mostLabels && (
      <span title={record.labels.slice(mostLabels).join(', ')}>
        <span aria-hidden="true">+{record.labels.length - mostLabels}</span>
        <span className="hidden">, {record.labels.slice(mostLabels).join(', ')}</span>
      </span>
    )}
  </EditedCell>
)

export const AssigneeCell = ({ kind, record, name }: CellProps & { readonly name: string | undefined }) => (
  <EditedCell kind={kind} record={record} field="assignee" needs={changing(kind, statusOf(record), 'assignee_id')}>
    {name === undefined ? (
      <>
        <span className="avatar nobody" aria-hidden="true" />
        <span className="hidden">{messages.board.unassigned}</span>
      </>
    ) : (
      <>
        <span className="row" aria-hidden="true">
          <Avatar name={name} />
        </span>
        <bdi className="truncate">{name}</bdi>
      </>
    )}
  </EditedCell>
)
