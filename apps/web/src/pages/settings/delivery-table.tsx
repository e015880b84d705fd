import { type QueryKey, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { More } from '../../components/more.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Select } from '../../components/select.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { messages } from '../../messages/messages.ts'

const texts = messages.settings.deliveries

/** A part of a list of deliveries, the newest first. */
export interface DeliveryPage<Status extends string> {
  readonly status?: Status
  readonly limit: number
  readonly offset: number
}

interface Page<Row> {
  readonly items: readonly Row[]
  readonly total: number
}

interface DeliveryTableProps<Row, Status extends string> {
  readonly caption: string
  /** Shown if there are none. */
  readonly none: string
  /** The states to choose from, in words. */
  readonly statuses: Readonly<Record<Status, string>>
  readonly queryKey: QueryKey
  readonly read: (page: DeliveryPage<Status>) => Promise<Page<Row>>
  /** Repeats a delivery. */
  readonly repeat: (id: string) => Promise<unknown>
  readonly columns: (repeat: (id: string) => void) => readonly Column<Row>[]
}

/** How often deliveries are read while they are shown, ms: there are no events about them. */
const againMs = 3_000

const pageSize = 20

/** Deliveries, read on demand: all, or those in one state. */
export function DeliveryTable<Row extends { readonly id: string }, Status extends string>({
  caption,
  none,
  statuses,
  queryKey,
  read,
  repeat,
  columns,
}: DeliveryTableProps<Row, Status>) {
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [status, setStatus] = useState<Status | ''>('')
  const pages = useInfiniteQuery({
    queryKey: [...queryKey, status],
    queryFn: ({ pageParam: offset }) => read({ ...(status !== '' && { status }), limit: pageSize, offset }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, all) => (all.length * pageSize < total ? all.length * pageSize : undefined),
    enabled: isOpen,
    refetchInterval: againMs,
  })
  const again = useMutation({ mutationFn: repeat, onSuccess: () => queries.invalidateQueries({ queryKey }) })
  const rows = pages.data?.pages.flatMap(({ items }) => items)
  const isFiltered = status !== ''
  const options = Object.entries<string>(statuses).map(([value, label]) => ({ value: value as Status, label }))
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{caption}</summary>
      <Failure error={pages.error ?? again.error} />
      {rows !== undefined && (rows.length > 0 || isFiltered) && (
        <Select
          className="input delivery-status"
          label={texts.status}
          value={status}
          none={texts.all}
          options={options}
          onChange={setStatus}
        />
      )}
      {rows?.length === 0 && <p className="muted">{isFiltered ? texts.noneInIt : none}</p>}
      {rows !== undefined && rows.length > 0 && (
        <Table caption={caption} rows={rows} keyOf={({ id }) => id} columns={columns(again.mutate)} />
      )}
      <More of={pages} label={texts.more} />
    </details>
  )
}
