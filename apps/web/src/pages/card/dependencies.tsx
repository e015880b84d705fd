import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { Link } from 'wouter'
import { addressOfCard } from '../../address.ts'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Input } from '../../components/input.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Section } from '../../components/section.tsx'
import { StatusSign } from '../../components/status.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { type Card, type CardStatus, refreshCard, useCards } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { type Needs, writingIn } from '../../data/needs.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.card

interface DependenciesProps {
  readonly board: BoardListItem
  readonly card: Card
}

/** The permissions needed to change which cards a card waits for. */
const linking = ({ status }: Card): Needs => ['CARDS_LINK_DEPENDENCIES', writingIn('card', status)]

interface Reference {
  readonly id: string
  readonly ref: string
  readonly title: string
  readonly status: CardStatus
}

/** The cards that the card waits for, and those that wait for it. */
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
  const queries = useQueryClient()
  const removing = useMutation({
    mutationFn: (depends_on_id: string) => client.removeCardDependency({ ...args, depends_on_id }),
    onSuccess: () => refreshCard(queries, card),
  })
  return (
    <>
      {waitsFor !== undefined && waitsFor.length > 0 && (
        <Section title={texts.waitsFor} count={waitsFor.length}>
          <References references={waitsFor} board={board} needs={linking(card)} onRemove={removing.mutate} />
          <Failure error={removing.error} />
        </Section>
      )}
      <AddDependency board={board} card={card} />
      {holdsUp !== undefined && holdsUp.length > 0 && (
        <Section title={texts.holdsUp} count={holdsUp.length}>
          <References references={holdsUp} board={board} />
        </Section>
      )}
    </>
  )
}

interface ReferencesProps {
  readonly references: readonly Reference[] | undefined
  readonly board: BoardListItem
  /** The permissions needed to remove one. */
  readonly needs?: Needs
  readonly onRemove?: (id: string) => void
}

const References = ({ references = [], board, needs, onRemove }: ReferencesProps) => (
  <ul className="plain lines">
    {references.map(({ id, ref, title, status }) => (
      <li key={id} className="line">
        <Link className="row grow" href={addressOfCard(board.key, ref)}>
          <StatusSign status={status} />
          <span className="ref">{ref}</span>
          <span className="truncate" dir="auto">
            {title}
          </span>
          <span className="hidden">{messages.board.statuses[status]}</span>
        </Link>
        {onRemove !== undefined && (
          <IconButton
            icon="close"
            size={14}
            needs={needs}
            label={texts.removeDependency(ref)}
            title={texts.removeDependency(ref)}
            onClick={() => onRemove(id)}
          />
        )}
      </li>
    ))}
  </ul>
)

/** Adds a card that this one waits for, by its reference; the cards of the board are suggested. */
function AddDependency({ board, card }: DependenciesProps) {
  const queries = useQueryClient()
  const listId = useId()
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const { data: cards } = useCards(board.id)
  const adding = useMutation({
    mutationFn: (depends_on_id: string) => client.addCardDependency({ card_id: card.id, depends_on_id }),
    onSuccess: () => {
      setText('')
      setOpen(false)
      return refreshCard(queries, card)
    },
  })
  const add = (event: FormEvent) => {
    event.preventDefault()
    const [ref] = text.trim().split(' ')
    if (ref !== undefined && ref !== '') adding.mutate(ref)
  }
  if (!isOpen)
    return (
      <Button className="button quiet add-one" data-key="wait" needs={linking(card)} onClick={() => setOpen(true)}>
        <Icon name="plus" size={14} /> {texts.addDependency}
      </Button>
    )
  return (
    <form className="stack add-dependency" onSubmit={add}>
      <Input
        autoFocus
        needs={linking(card)}
        className="input"
        aria-label={texts.addDependency}
        placeholder={texts.addDependencyHint}
        list={listId}
        value={text}
        onChange={event => setText(event.target.value)}
      />
      <datalist id={listId}>
        {text !== '' &&
          cards
            ?.filter(
              ({ id, ref, title }) => id !== card.id && `${ref} ${title}`.toLowerCase().includes(text.toLowerCase()),
            )
            .slice(0, maxOffered)
            .map(({ id, ref, title }) => <option key={id} value={`${ref} ${title}`} />)}
      </datalist>
      <Failure error={adding.error} />
    </form>
  )
}

/** Maximum number of cards that are suggested while somebody types. */
const maxOffered = 20
