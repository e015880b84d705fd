import { useQueryClient } from '@tanstack/react-query'
import { EditedText as EditedInPlace } from '../../components/edited-text.tsx'
import { type Card, readCard, rememberCard } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { changing } from '../../data/needs.ts'
import { useAttaching } from './attaching.ts'

type EditedField =
  | 'title'
  | 'description'
  | 'details'
  | 'observed_behavior'
  | 'expected_behavior'
  | 'steps_to_reproduce'
  | 'action_plan'

interface EditedTextProps {
  readonly card: Card
  readonly tag: string
  readonly field: EditedField
  readonly label: string
  /** The level of a title; other texts are Markdown. */
  readonly as?: 'h1' | 'h3'
}

/** A text of a card that is edited in place. */
export function EditedText({ card, tag, field, label, as }: EditedTextProps) {
  const queries = useQueryClient()
  const attach = useAttaching(card)
  const read = async () => {
    const now = await readCard(card.id)
    rememberCard(queries, now)
    return { text: now.card[field] ?? '', tag: now.tag }
  }
  return (
    <EditedInPlace
      draft={`card:${card.id}:${field}`}
      text={card[field] ?? ''}
      tag={tag}
      label={label}
      {...(as === undefined ? { boardId: card.board_id, attach } : { as })}
      needs={changing('card', card.status, field)}
      read={read}
      write={(text, ifMatch) => client.updateCard({ card_id: card.id, [field]: text }, { ifMatch })}
    />
  )
}
