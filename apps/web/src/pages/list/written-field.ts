import type { QueryClient } from '@tanstack/react-query'
import { type CardSummary, type ReadCard, readCard, refreshCard, refreshCards } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { writeOn } from '../../data/write-on.ts'
import { fieldsOf, valueIn, type WrittenField } from './field-values.ts'

interface Edit {
  readonly boardId: string
  /** The card as the person saw it. */
  readonly card: CardSummary
  readonly field: WrittenField
  readonly value: string
  /** The card as it was read when the choice was opened. */
  readonly read: Promise<ReadCard>
}

/**
 * Writes a field of a card on the state that the person saw (`If-Match`).
 * @returns the current card if somebody else has changed the same field since: nothing is written then
 */
export async function writeField(queries: QueryClient, edit: Edit): Promise<ReadCard | undefined> {
  const { boardId, card, field, value } = edit
  const read = await edit.read
  // Labels are added and removed one by one, so that those set by others stay.
  const isSame = ({ card: now }: ReadCard) => field === 'label' || valueIn(now, field) === valueIn(card, field)
  const theirs = isSame(read)
    ? await writeOn(read, {
        write: state =>
          client.updateCard({ card_id: card.id, ...fieldsOf(state.card, field, value) }, { ifMatch: state.tag }),
        read: () => readCard(card.id),
        isSame,
      })
    : read
  await refreshCards(queries, boardId, new Set([card.id]))
  await refreshCard(queries, card)
  return theirs
}
