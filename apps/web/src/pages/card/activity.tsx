import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Readable } from '../../components/guarded.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Time } from '../../components/time.tsx'
import type { Card } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { messages } from '../../messages/messages.ts'

/** What happened to the card; read when somebody wants to see it. */
export function Activity({ card }: { readonly card: Card }) {
  const [isOpen, setOpen] = useState(false)
  const { data, error } = useQuery({
    queryKey: keys.part('card', card.id, 'activity'),
    queryFn: async () => (await client.listCardActivity({ card_id: card.id })).items,
    enabled: isOpen,
  })
  return (
    <details className="section" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary className="section-title">{messages.card.activity}</summary>
      <Readable needs={['CARDS_READ_ACTIVITY']}>
        <Failure error={error} />
        <ul className="plain activity">
          {data?.map(({ id, actor_name, action, created_at }) => (
            <li key={id} className="row">
              <span className="truncate">{actor_name}</span>
              <span className="muted grow">{action.replaceAll('_', ' ')}</span>
              <Time at={created_at} />
            </li>
          ))}
        </ul>
      </Readable>
    </details>
  )
}
