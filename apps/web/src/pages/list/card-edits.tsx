import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { announce } from '../../components/announcer.tsx'
import { Confirm } from '../../components/confirm.tsx'
import { opening } from '../../components/part.tsx'
import { dayOf } from '../../components/time.tsx'
import { toast } from '../../components/toast.tsx'
import { type BoardListItem, useNames } from '../../data/boards.ts'
import { type CardPriority, type CardSummary, type ReadCard, readCard } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { messages } from '../../messages/messages.ts'
import { useBulk } from '../../moves/bulk-context.ts'
import { CardChanges, CardPicker } from '../board/card-changes.tsx'
import { fieldsBefore, fieldsOf, nothingChosen, valueIn, type WrittenField } from './field-values.ts'
import { writeField } from './written-field.ts'

const DuePicker = opening(() => import('../board/due-picker.tsx'))

const texts = messages.list

interface CardEditsProps {
  readonly board: BoardListItem
  /** The cards that are changed. */
  readonly cards: readonly CardSummary[]
  /** The cards of the board, whose labels are suggested. */
  readonly all: readonly CardSummary[]
  readonly field: WrittenField
  readonly anchor: HTMLElement
  readonly onDone: (ids: ReadonlySet<string>) => void
  readonly onConflict: (conflict: Conflict) => void
  readonly onClose: () => void
}

/** A change that conflicts with somebody else's change of the same field. */
export interface Conflict {
  readonly card: CardSummary
  readonly field: WrittenField
  readonly mine: string
  readonly theirs: ReadCard
}

/**
 * Lets somebody choose a value for cards: for one card, it is written on the state that the person saw; several are
 * written one after the other.
 */
export function CardEdits(props: CardEditsProps) {
  const { onConflict: _, ...changes } = props
  const { cards } = changes
  const [only] = cards
  if (cards.length === 1 && only !== undefined) return <OneCard {...props} card={only} />
  return <CardChanges {...changes} />
}

function OneCard({
  board,
  card,
  all,
  field,
  anchor,
  onConflict,
  onClose,
}: CardEditsProps & { readonly card: CardSummary }) {
  const queries = useQueryClient()
  const bulk = useBulk()
  // The person's choice is based on the state that is read when the picker opens.
  const read = useMemo(() => {
    const reading = readCard(card.id)
    // If nothing is chosen, it does not matter that the read failed.
    reading.catch(() => undefined)
    return reading
  }, [card.id])
  const writing = useMutation({
    mutationFn: async (value: string) => {
      try {
        const theirs = await writeField(queries, { boardId: board.id, card, field, value, read })
        if (theirs !== undefined) return onConflict({ card, field, mine: value, theirs })
        announceChange(card, field, () =>
          bulk.change([{ ...card, board_id: board.id }], {
            change: () => client.updateCard({ card_id: card.id, ...fieldsBefore(card, field) }),
            undo: () => client.updateCard({ card_id: card.id, ...fieldsOf(card, field, value) }),
          }),
        )
      } catch (error) {
        // A refusal is shown as for several cards: why, and the next actions.
        await bulk.change([{ ...card, board_id: board.id }], {
          change: () => Promise.reject(error),
          undo: () => Promise.resolve(),
        })
      }
    },
  })
  const choose = (value: string) => {
    onClose()
    if (field === 'label' || value !== valueIn(card, field)) writing.mutate(value)
  }
  if (field === 'due')
    return (
      <DuePicker
        count={1}
        anchor={anchor}
        day={valueIn(card, field)}
        onChoose={day => choose(day ?? nothingChosen)}
        onClose={onClose}
      />
    )
  return (
    <CardPicker
      board={board}
      cards={[card]}
      all={all}
      field={field}
      anchor={anchor}
      onChoose={choose}
      onClose={onClose}
    />
  )
}

const names: Readonly<Record<WrittenField, string>> = {
  assignee: texts.columns.assignee,
  priority: texts.columns.priority,
  label: texts.columns.labels,
  due: texts.dueDate,
}

function announceChange({ ref }: CardSummary, field: WrittenField, undo: () => Promise<unknown>): void {
  const says = texts.changed(ref, names[field])
  announce(says)
  toast(says, undo)
}

interface ConflictDialogProps {
  readonly board: BoardListItem
  readonly conflict: Conflict
  readonly onClose: () => void
}

/** Shows what somebody else has chosen since, and offers to overwrite it with the person's own choice. */
export function ConflictDialog({ board, conflict, onClose }: ConflictDialogProps) {
  const { card, field, mine, theirs } = conflict
  const queries = useQueryClient()
  const { data: people } = useNames(board.id)
  const inWords = (value: string): string => {
    if (field === 'priority') return messages.board.priorities[value as CardPriority]
    if (field === 'due') return value === nothingChosen ? texts.noDate : dayOf(value)
    return value === nothingChosen ? messages.board.unassigned : (people?.get(value) ?? value)
  }
  const current = {
    ...card,
    assignee_id: theirs.card.assignee_id,
    priority: theirs.card.priority,
    due_date: theirs.card.due_date,
  }
  return (
    <Confirm
      title={texts.conflict(names[field], card.ref)}
      lead={texts.conflictLead(inWords(valueIn(theirs.card, field)), inWords(mine))}
      action={texts.setMine(inWords(mine))}
      onConfirm={async () => {
        const read = Promise.resolve(theirs)
        const again = await writeField(queries, { boardId: board.id, card: current, field, value: mine, read })
        if (again !== undefined) throw new Error(texts.conflict(names[field], card.ref))
      }}
      onClose={onClose}
    />
  )
}
