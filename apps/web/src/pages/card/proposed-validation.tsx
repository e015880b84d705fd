import { useCard } from '../../data/cards.ts'
import { ValidateDialog } from './validate-dialog.tsx'

interface ProposedValidationProps {
  /** The inbox item that it settles. */
  readonly item?: string
  readonly cardId: string
  readonly onClose: () => void
}

/** A form for a verdict on the card with an id. */
export default function ProposedValidation({ cardId, ...settles }: ProposedValidationProps) {
  const { data } = useCard(cardId)
  return data === undefined ? null : <ValidateDialog card={data.card} {...settles} />
}
