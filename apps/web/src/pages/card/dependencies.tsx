import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { addressOfCard } from '../../address.ts'
import { Section } from '../../components/section.tsx'
import { StatusSign } from '../../components/status.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import type { Card, CardStatus } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { messages } from '../../messages/messages.ts'

interface DependenciesProps {
  readonly board: BoardListItem
  readonly card: Card
}

interface Reference {
  readonly id: string
  readonly ref: string
  readonly title: string
  readonly status: CardStatus
}

/** What the card waits for, and what waits for it. */
export function Dependencies({ board, card }: DependenciesProps) {
  const args = { card_id: card.id }
  const { data: waitsFor } = useQuery({
    queryKey: keys.part('card', card.id, 'dependencies'),
    queryFn: async () => (await client.listCardDependencies(args)).items,
  })
  const { data: holdsUp } = useQuery({
    queryKey: keys.part('card', card.id, 'dependents'),
    queryFn: async () => (await client.listCardDependents(args)).items,
  })
  return (
    <>
      <References title={messages.card.waitsFor} references={waitsFor} board={board} />
      <References title={messages.card.holdsUp} references={holdsUp} board={board} />
    </>
  )
}

interface ReferencesProps {
  readonly title: string
  readonly references: readonly Reference[] | undefined
  readonly board: BoardListItem
}

const References = ({ title, references = [], board }: ReferencesProps) =>
  references.length === 0 ? null : (
    <Section title={title} count={references.length}>
      <ul className="plain">
        {references.map(({ id, ref, title: cardTitle, status }) => (
          <li key={id}>
            <Link className="reference row" href={addressOfCard(board.key, ref)}>
              <StatusSign status={status} />
              <span className="ref">{ref}</span>
              <span className="truncate">{cardTitle}</span>
              <span className="hidden">{messages.board.statuses[status]}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
