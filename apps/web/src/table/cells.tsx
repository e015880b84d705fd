import type { ReactNode } from 'react'
import { Guarded } from '../components/guarded.tsx'
import { tintOf } from '../components/person.tsx'
import type { Needs } from '../data/needs.ts'
import { messages } from '../messages/messages.ts'
import { useRowTab } from './row-tab.ts'

const texts = messages.list

interface CellButtonProps {
  readonly field: string
  /** The permissions needed to change it. */
  readonly needs: Needs
  /** The label for screen readers, before the value. */
  readonly label: string
  readonly onEdit: (anchor: HTMLElement) => void
  readonly children: ReactNode
}

/** A value that is edited in its row; locked for people who may not. */
export function CellButton({ field, needs, label, onEdit, children }: CellButtonProps) {
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
          onClick={event => onEdit(event.currentTarget)}
          {...closed}
        >
          <span className="hidden">{label}</span>
          {children}
        </button>
      )}
    </Guarded>
  )
}

/** An empty value; in words for screen readers, if it can be set. */
export const EmptyCell = ({ says }: { readonly says?: string }) => (
  <span className="without">
    {says === undefined ? texts.none : <span aria-hidden="true">{texts.none}</span>}
    {says !== undefined && <span className="hidden">{says}</span>}
  </span>
)

/** How many labels a cell shows. */
const maxLabels = 2

interface LabelsProps {
  readonly labels: readonly string[]
  readonly className: string
}

/** The first labels of a record, and the number of further ones. */
export const Labels = ({ labels, className }: LabelsProps) => (
  <>
    {labels.length === 0 && <EmptyCell says={texts.noLabels} />}
    {labels.slice(0, maxLabels).map(label => (
      <span key={label} className={className}>
        <span className={`dot tint-${tintOf(label)}`} />
        <bdi className="truncate">{label}</bdi>
      </span>
    ))}
    {labels.length > maxLabels && <MoreLabels labels={labels.slice(maxLabels)} />}
  </>
)

const MoreLabels = ({ labels }: { readonly labels: readonly string[] }) => (
  <span title={labels.join(', ')}>
    <span aria-hidden="true">+{labels.length}</span>
    <span className="hidden">, {labels.join(', ')}</span>
  </span>
)
