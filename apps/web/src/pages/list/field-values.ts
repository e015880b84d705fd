import type { CardPriority, CardSummary } from '../../data/card-list.ts'
import type { EditedField } from './list-context.ts'

/** An editable field; statuses change by moves instead. */
export type WrittenField = Exclude<EditedField, 'status'>

/** The fields of a card that are sent. */
interface Fields {
  readonly assignee_id?: string | null
  readonly priority?: CardPriority
  readonly due_date?: string | null
  readonly labels?: string[]
  readonly add_labels?: string[]
  readonly remove_labels?: string[]
}

type EditedFields = Pick<CardSummary, 'assignee_id' | 'priority' | 'due_date'> & {
  readonly labels?: readonly string[] | null | undefined
}

/** The option for nobody, and for no date. */
export const nothingChosen = ''

/** The value of a card's field, as an option. */
export function valueIn(card: EditedFields, field: WrittenField): string {
  if (field === 'assignee') return card.assignee_id ?? nothingChosen
  if (field === 'priority') return card.priority
  if (field === 'due') return card.due_date?.slice(0, 10) ?? nothingChosen
  return (card.labels ?? []).join('\n')
}

/** The change to send for a value; a label is added to a card, or removed. */
export function fieldsOf(card: EditedFields, field: WrittenField, value: string): Fields {
  if (field === 'assignee') return { assignee_id: value === nothingChosen ? null : value }
  if (field === 'priority') return { priority: value as CardPriority }
  if (field === 'due') return { due_date: value === nothingChosen ? null : value }
  return (card.labels ?? []).includes(value) ? { remove_labels: [value] } : { add_labels: [value] }
}

/** The change that undoes a written value. */
export function fieldsBefore(card: EditedFields, field: WrittenField): Fields {
  if (field === 'label') return { labels: [...(card.labels ?? [])] }
  return fieldsOf(card, field, valueIn(card, field))
}
