import { useQuery } from '@tanstack/react-query'
import { Link, Redirect } from 'wouter'
import { addressOfRecord } from '../../address.ts'
import { Failure } from '../../components/refusal.tsx'
import { client } from '../../data/client.ts'
import { messages } from '../../messages/messages.ts'
import type { BoardPageProps } from '../../page-props.ts'

/** Leads from a reference alone to the page of the record. */
export default function RecordPage({ board, params }: BoardPageProps) {
  const ref = (params.ref ?? '').toUpperCase()
  const { data, error } = useQuery({
    queryKey: ['reference', ref],
    queryFn: async () =>
      (await client.searchRecords({ q: ref, board_id: board.id, include_archived: true })).items.find(
        record => record.ref === ref,
      ) ?? null,
  })
  if (error !== null) return <Failure error={error} />
  if (data === undefined) return <p className="notice">{messages.shell.loading}</p>
  if (data !== null) return <Redirect to={addressOfRecord(data.entity_type, ref)} replace />
  return (
    <p className="notice">
      {messages.shell.notFound} <Link href="/">{messages.shell.toInbox}</Link>
    </p>
  )
}
