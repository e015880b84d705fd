import { messages } from '../messages/messages.ts'
import { ChipsField } from './chips-field.tsx'
import type { Guards } from './guarded.tsx'

interface LabelsFieldProps extends Guards {
  readonly labels: readonly string[]
  /** Labels used elsewhere, offered as suggestions. */
  readonly suggestions?: readonly string[]
  readonly onAdd: (label: string) => void
  readonly onRemove: (label: string) => void
}

const words = { add: messages.card.addLabel, remove: messages.card.removeLabel }

/** The labels of a record, with buttons to remove each and to add another. */
export const LabelsField = ({ labels, ...field }: LabelsFieldProps) => (
  <ChipsField values={labels} words={words} maxLength={100} {...field} />
)
