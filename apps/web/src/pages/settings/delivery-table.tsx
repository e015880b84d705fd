import { type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure } from '../../components/refusal.tsx'
import { type Column, Table } from '../../components/table.tsx'

interface DeliveryTableProps<Row> {
  readonly caption: string
  /** Shown where there are none. */
  readonly none: string
  readonly queryKey: QueryKey
  readonly read: () => Promise<readonly Row[]>
  /** Delivers one once more. */
  readonly repeat: (id: string) => Promise<unknown>
  readonly columns: (repeat: (id: string) => void) => readonly Column<Row>[]
}

/** How often deliveries are read while they are shown, ms: there are no events about them. */
const againMs = 3_000

/** Deliveries, read on demand. */
export function DeliveryTable<Row extends { readonly id: string }>({
  caption,
  none,
  queryKey,
  read,
  repeat,
  columns,
}: DeliveryTableProps<Row>) {
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const { data, error } = useQuery({ queryKey, queryFn: read, enabled: isOpen, refetchInterval: againMs })
  const again = useMutation({ mutationFn: repeat, onSuccess: () => queries.invalidateQueries({ queryKey }) })
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{caption}</summary>
      <Failure error={error ?? again.error} />
      {data?.length === 0 && <p className="muted">{none}</p>}
      {data !== undefined && data.length > 0 && (
        <Table caption={caption} rows={data} keyOf={({ id }) => id} columns={columns(again.mutate)} />
      )}
    </details>
  )
}
