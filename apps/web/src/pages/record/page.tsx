import { Redirect } from 'wouter'
import { addressOfRecord } from '../../address.ts'
import { Notice, NotRead } from '../../components/fault.tsx'
import { useReference } from '../../data/references.ts'
import { messages } from '../../messages/messages.ts'
import type { BoardPageProps } from '../../page-props.ts'

/** Redirects from a reference to the page of its record. */
export default function RecordPage({ board, params }: BoardPageProps) {
  const ref = (params.ref ?? '').toUpperCase()
  const { data, error } = useReference(board.id, ref)
  if (data === undefined) return <NotRead error={error} />
  if (data !== null) return <Redirect to={addressOfRecord(data.entity_type, ref)} replace />
  return <Notice title={messages.shell.notFound} isPassing={false} />
}
