import { Button } from '../../components/button.tsx'
import { Time } from '../../components/time.tsx'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { messages } from '../../messages/messages.ts'
import { DeliveryTable } from './delivery-table.tsx'
import { managing } from './repository.ts'

const texts = messages.repositories

const colours = { queued: '', done: 'green', ignored: '', failed: 'red' } as const

/** The deliveries from the forge of a repository, loaded on demand. */
export const ForgeDeliveries = ({ repositoryId: repository_id }: { readonly repositoryId: string }) => (
  <DeliveryTable
    caption={texts.deliveries}
    none={texts.noDeliveries}
    statuses={texts.statuses}
    queryKey={keys.part('repository', repository_id, 'deliveries')}
    read={page => client.listForgeDeliveries({ repository_id, ...page })}
    repeat={delivery_id => client.retryForgeDelivery({ repository_id, delivery_id })}
    columns={repeat => [
      { label: texts.received, cell: ({ received_at }) => <Time at={received_at} /> },
      { label: texts.event, cell: ({ event, action }) => (action === null ? event : `${event} ${action}`) },
      {
        label: texts.status,
        cell: ({ status, reason }) => (
          <>
            <span className={`badge ${colours[status]}`}>{texts.statuses[status]}</span>{' '}
            {reason !== null && <span>{reason}</span>}
          </>
        ),
      },
      { label: texts.effect, cell: ({ changes, links }) => texts.effects(changes, links) },
      { label: texts.attempts, isNumber: true, cell: ({ attempts }) => attempts },
      {
        label: texts.retry,
        cell: ({ id, status }) =>
          status !== 'failed' ? null : (
            <Button needs={managing} className="button quiet" onClick={() => repeat(id)}>
              {texts.retry}
            </Button>
          ),
      },
    ]}
  />
)
