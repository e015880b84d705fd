import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { messages } from '../../messages/messages.ts'
import { managing } from './repository.ts'

const texts = messages.repositories

/** How often events are read while they are shown, ms: there are no events about them. */
const againMs = 3_000

const colours = { queued: '', done: 'green', ignored: '', failed: 'red' } as const

/** What the forge of a repository has sent, read on demand. */
export function ForgeDeliveries({ repositoryId: repository_id }: { readonly repositoryId: string }) {
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const queryKey = keys.part('repository', repository_id, 'deliveries')
  const { data, error } = useQuery({
    queryKey,
    queryFn: async () => (await client.listForgeDeliveries({ repository_id })).items,
    enabled: isOpen,
    refetchInterval: againMs,
  })
  const again = useMutation({
    mutationFn: (delivery_id: string) => client.retryForgeDelivery({ repository_id, delivery_id }),
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
            { label: texts.received, cell: ({ received_at }) => <Time at={received_at} /> },
            { label: texts.event, cell: ({ event, action }) => (action === null ? event : `${event} ${action}`) },
            {
              label: texts.status,
              cell: ({ status, reason }) => (
                <>
                  <span className={`badge ${colours[status]}`}>{texts.statuses[status]}</span> {reason}
                </>
              ),
            },
            { label: texts.effect, cell: ({ changes, links }) => texts.effects(changes, links) },
            { label: texts.attempts, isNumber: true, cell: ({ attempts }) => attempts },
            {
              label: texts.retry,
              cell: ({ id, status }) =>
                status !== 'failed' ? null : (
                  <Button needs={managing} className="button quiet" onClick={() => again.mutate(id)}>
                    {texts.retry}
                  </Button>
                ),
            },
          ]}
        />
      )}
    </details>
  )
}
