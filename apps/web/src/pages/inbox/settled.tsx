import { useQuery } from '@tanstack/react-query'
import { addressOfRecord } from '../../address.ts'
import { ActionSentence } from '../../components/action-sentence.tsx'
import { Empty } from '../../components/empty.tsx'
import { TitledLink } from '../../components/linked.tsx'
import { Time } from '../../components/time.tsx'
import { client } from '../../data/client.ts'
import { isPlanKind, type PlanKind, planCalls } from '../../data/planning.ts'
import { shownName } from '../../data/shown-name.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.inbox

/** Kinds of items about a card; those about planned records begin with the record's kind. */
const ofCards = /^card_(?:validation|approval|stuck|passed|attempts|outgrown|unplanned|unproven)$/

interface Last {
  readonly ref: string
  readonly title: string
  readonly kind: PlanKind | 'card'
  readonly action: string
  readonly details: Readonly<Record<string, unknown>> | null
  readonly actor_name: string
  readonly at: string
}

/** The last event of the record that an item is about; null if the item does not name one. */
async function lastOf(item: string): Promise<Last | null> {
  const [name = '', id = ''] = item.split(':')
  if (ofCards.test(name)) {
    const { ref, title } = await client.getCard({ card_id: id })
    const [entry] = (await client.listCardActivity({ card_id: id, limit: 1 })).items
    if (entry === undefined) return null
    const { action, details, actor_name, created_at: at } = entry
    return { ref, title, kind: 'card', action, details: details ?? null, actor_name, at }
  }
  const [kind = ''] = name.split('_')
  if (!isPlanKind(kind)) return null
  const { ref, title } = await planCalls[kind].read(id, {})
  const [entry] = (await planCalls[kind].history(id)).items
  if (entry === undefined) return null
  const { action, actor_name, created_at: at } = entry
  return { ref, title, kind, action, details: null, actor_name, at }
}

/** A notice that the item is settled, and by whom, when and how, if the record shows it. */
export function Settled({ item }: { readonly item: string }) {
  const { data: last } = useQuery({
    queryKey: ['settled', item],
    queryFn: () => lastOf(item).catch(() => null),
  })
  return (
    <>
      <Empty title={texts.settled} lead={last ? texts.settledSince : texts.settledLead} />
      {last && (
        <p className="settled-by">
          <bdi className="name">{shownName(last.actor_name)}</bdi>{' '}
          <ActionSentence
            action={last.action}
            details={last.details}
            it={<TitledLink href={addressOfRecord(last.kind, last.ref)} reference={last.ref} title={last.title} />}
          />{' '}
          <Time at={last.at} />
        </p>
      )}
    </>
  )
}
