import { Link, Redirect } from 'wouter'
import { addressOfRecord } from '../../address.ts'
import { Failure } from '../../components/refusal.tsx'
import { useReference } from '../../data/references.ts'
import { messages } from '../../messages/messages.ts'
import type { BoardPageProps } from '../../page-props.ts'

/** Leads from a reference alone to the page of the record. */
export default function RecordPage({ board, params }: BoardPageProps) {
  const ref = (params.ref ?? '').toUpperCase()
  const { data, error } = useReference(board.id, ref)
  if (error !== null) return <Failure error={error} />
  if (data === undefined) return <p className="notice">{messages.shell.loading}</p>
  if (data !== null) return <Redirect to={addressOfRecord(data.entity_type, ref)} replace />
  return (
    <p className="notice">
      {messages.shell.notFound} <Link href="/">{messages.shell.toInbox}</Link>
    </p>
  )
}
