import { createContext, type ReactNode, useContext } from 'react'
import { Avatar } from '../../components/person.tsx'
import { isPlanStatus, PlanStatusSign } from '../../components/plan-status.tsx'
import { changing, type Needs, writingIn } from '../../data/needs.ts'
import type { PlanKind, PlanSummary } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import { CellButton, Labels } from '../../table/cells.tsx'

/** The parts of a record that can be changed in its row. */
export type PlanField = 'status' | 'labels' | 'assignee'

/** Lets somebody choose a value for a record. */
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

/** A value that is edited in place; locked for people who may not. */
function EditedCell({ record, field, needs, children }: EditedCellProps) {
  const edit = useContext(PlanEditContext)
  return (
    <CellButton
      field={field}
      needs={needs}
      label={messages.list.of(texts.columns[field], record.ref ?? record.title)}
      onEdit={anchor => edit(field, record, anchor)}
    >
      {children}
    </CellButton>
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

export const LabelsCell = ({ kind, record }: CellProps) => (
  <EditedCell kind={kind} record={record} field="labels" needs={changing(kind, statusOf(record), 'labels')}>
    <Labels labels={record.labels} className="plan-label row" />
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
