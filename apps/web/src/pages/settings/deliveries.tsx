import { Button } from '../../components/button.tsx'
import { Time } from '../../components/time.tsx'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { messages } from '../../messages/messages.ts'
import { DeliveryTable } from './delivery-table.tsx'

const texts = messages.settings.webhooks

/** The deliveries of a webhook, read on demand. */
export const Deliveries = ({ webhookId: webhook_id }: { readonly webhookId: string }) => (
  <DeliveryTable
    caption={texts.deliveries}
    none={texts.noDeliveries}
    statuses={texts.statuses}
    queryKey={keys.part('webhook', webhook_id, 'deliveries')}
    read={page => client.listWebhookDeliveries({ webhook_id, ...page })}
    repeat={delivery_id => client.redeliverWebhook({ webhook_id, delivery_id })}
    columns={repeat => [
      { label: texts.when, cell: ({ created_at }) => <Time at={created_at} /> },
      { label: texts.event, cell: ({ event_sequence }) => event_sequence ?? texts.test },
      {
        label: texts.status,
        cell: ({ status }) => (
          <span className={`badge ${{ pending: '', delivered: 'green', failed: 'red' }[status]}`}>
            {texts.statuses[status]}
          </span>
        ),
      },
      {
        label: texts.answer,
        cell: ({ response_status, response_excerpt }) => response_status ?? response_excerpt,
      },
      { label: texts.attempts, isNumber: true, cell: ({ attempts }) => attempts },
      {
        label: texts.again,
        cell: ({ id, status }) =>
          status === 'pending' ? null : (
            <Button needs={['WEBHOOKS_MANAGE']} className="button quiet" onClick={() => repeat(id)}>
              {texts.again}
            </Button>
          ),
      },
    ]}
  />
)
