import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.settings.webhooks

/** How often deliveries are read while they are shown, ms: there are no events about them. */
const againMs = 3_000

/** The deliveries of a webhook, read on demand. */
export function Deliveries({ webhookId: webhook_id }: { readonly webhookId: string }) {
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const queryKey = keys.part('webhook', webhook_id, 'deliveries')
  const { data, error } = useQuery({
    queryKey,
    queryFn: async () => (await client.listWebhookDeliveries({ webhook_id })).items,
    enabled: isOpen,
    refetchInterval: againMs,
  })
  const again = useMutation({
    mutationFn: (delivery_id: string) => client.redeliverWebhook({ webhook_id, delivery_id }),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  })
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{texts.deliveries}</summary>
      <Failure error={error ?? again.error} />
      {data?.length === 0 && <p className="muted">{texts.noDeliveries}</p>}
      {data !== undefined && data.length > 0 && (
        <Table
          caption={texts.deliveries}
          rows={data}
          keyOf={delivery => delivery.id}
          columns={[
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
                  <Button needs={['WEBHOOKS_MANAGE']} className="button quiet" onClick={() => again.mutate(id)}>
                    {texts.again}
                  </Button>
                ),
            },
          ]}
        />
      )}
    </details>
  )
}
