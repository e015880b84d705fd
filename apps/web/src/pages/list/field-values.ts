import type { CardPriority, CardSummary } from '../../data/card-list.ts'
import type { EditedField } from './list-context.ts'

/** A field that is written; statuses have their moves. */
export type WrittenField = Exclude<EditedField, 'status'>

/** What of a card is sent. */
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

/** Stands for nobody, and for no date. */
export const nothingChosen = ''

/** What a card says in a field, as it is chosen. */
export function valueIn(card: EditedFields, field: WrittenField): string {
  if (field === 'assignee') return card.assignee_id ?? nothingChosen
  if (field === 'priority') return card.priority
  if (field === 'due') return card.due_date?.slice(0, 10) ?? nothingChosen
  return (card.labels ?? []).join('\n')
}

/** What is sent for a value; a label is put on a card, or taken off it. */
export function fieldsOf(card: EditedFields, field: WrittenField, value: string): Fields {
  if (field === 'assignee') return { assignee_id: value === nothingChosen ? null : value }
  if (field === 'priority') return { priority: value as CardPriority }
  if (field === 'due') return { due_date: value === nothingChosen ? null : value }
  return (card.labels ?? []).includes(value) ? { remove_labels: [value] } : { add_labels: [value] }
}

/** What takes a written value back. */
export function fieldsBefore(card: EditedFields, field: WrittenField): Fields {
  if (field === 'label') return { labels: [...(card.labels ?? [])] }
  return fieldsOf(card, field, valueIn(card, field))
}
