import { useMutation } from '@tanstack/react-query'
import { opening } from '../../components/part.tsx'
import { Avatar } from '../../components/person.tsx'
import { PrioritySign } from '../../components/status.tsx'
import { type BoardListItem, useChoosable } from '../../data/boards.ts'
import { type CardPriority, type CardSummary, cardPriorities } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { knownLabels } from '../../data/labels.ts'
import { messages } from '../../messages/messages.ts'
import { useBulk } from '../../moves/bulk-context.ts'
import { Picker } from './filter-chips.tsx'

const DuePicker = opening(() => import('./due-picker.tsx'))

/** The fields of cards that can be changed on the board itself. */
export type ChangedField = 'assignee' | 'priority' | 'label' | 'due'

interface CardChangesProps {
  readonly board: BoardListItem
  /** The cards that are changed. */
  readonly cards: readonly CardSummary[]
  /** All cards of the board, whose labels are suggested. */
  readonly all: readonly CardSummary[]
  readonly field: ChangedField
  readonly anchor: HTMLElement
  /** Called with the ids of the changed cards if some cards were not changed; these stay selected. */
  readonly onDone: (ids: ReadonlySet<string>) => void
  readonly onClose: () => void
}

const texts = messages.board

/** The value that stands for nobody, or for no day. */
const nobody = ''

/**
 * Chooses a new value for cards: the assignee, the priority, a label, or the due date. For cards that may not be
 * changed, the reason is shown, and they stay selected.
 */
export function CardChanges({ onDone, ...picker }: CardChangesProps) {
  const { board, cards, field, onClose } = picker
  const change = useCardChange(board, cards, onDone)
  const choose = (value: string) => {
    onClose()
    change(field, value)
  }
  if (field !== 'due') return <CardPicker {...picker} field={field} onChoose={choose} />
  return (
    <DuePicker
      count={cards.length}
      anchor={picker.anchor}
      day={cards.length === 1 ? (cards[0]!.due_date?.slice(0, 10) ?? nobody) : nobody}
      onChoose={day => choose(day ?? nobody)}
      onClose={onClose}
    />
  )
}

/** A field with values to pick from. */
type PickedField = Exclude<ChangedField, 'due'>

interface CardPickerProps extends Omit<CardChangesProps, 'onDone' | 'field'> {
  readonly field: PickedField
  readonly onChoose: (value: string) => void
}

/** The values to choose from. */
export function CardPicker({ board, cards, all, field, anchor, onChoose, onClose }: CardPickerProps) {
  const { data: names } = useChoosable(board.id)
  const options = {
    assignee: () => [
      { value: nobody, label: texts.unassigned, sign: <span className="avatar nobody" /> },
      ...[...(names ?? [])].map(([value, label]) => ({ value, label, sign: <Avatar name={label} /> })),
    ],
    priority: () =>
      cardPriorities.map(value => ({
        value,
        label: texts.priorities[value],
        sign: <PrioritySign priority={value} />,
      })),
    label: () => knownLabels(all).map(value => ({ value, label: value })),
  }
  const [first] = cards
  const chosen = cards.length !== 1 || first === undefined ? [] : chosenOf(first)[field]
  return (
    <Picker
      label={texts.choose[field](cards.length)}
      anchor={anchor}
      options={options[field]()}
      chosen={chosen}
      onChoose={onChoose}
      {...(field === 'label' && { onNew: onChoose })}
      onClose={onClose}
    />
  )
}

const chosenOf = ({
  assignee_id,
  priority,
  labels,
}: CardSummary): Readonly<Record<PickedField, readonly string[]>> => ({
  assignee: [assignee_id ?? nobody],
  priority: [priority],
  label: labels,
})

/** Changes cards together, with Undo. */
export function useCardChange(
  board: BoardListItem,
  cards: readonly CardSummary[],
  onDone: (ids: ReadonlySet<string>) => void,
): (field: ChangedField, value: string) => void {
  const bulk = useBulk()
  const changing = useMutation({
    mutationFn: async ({ field, value }: { readonly field: ChangedField; readonly value: string }) => {
      const changed = cards.map(card => ({ ...card, board_id: board.id }))
      const done = await bulk.change(changed, {
        change: card => client.updateCard({ card_id: card.id, ...fieldsOf(card, field, value) }),
        undo: ({ id, assignee_id, priority, labels, due_date }) =>
          client.updateCard({
            card_id: id,
            ...{ assignee: { assignee_id }, priority: { priority }, label: { labels: [...labels] }, due: { due_date } }[
              field
            ],
          }),
      })
      if (done.length < cards.length) onDone(new Set(done.map(({ id }) => id)))
    },
  })
  return (field, value) => changing.mutate({ field, value })
}

function fieldsOf({ labels }: CardSummary, field: ChangedField, value: string) {
  if (field === 'assignee') return { assignee_id: value === nobody ? null : value }
  if (field === 'priority') return { priority: value as CardPriority }
  if (field === 'due') return { due_date: value === nobody ? null : value }
  return { labels: labels.includes(value) ? labels.filter(label => label !== value) : [...labels, value] }
}
