import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { addressOfRecord } from '../../address.ts'
import { Icon } from '../../components/icon.tsx'
import { type NodeType, useMay, useRecordOf } from '../../data/knowledge.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.knowledge

export const addressOfNode = (boardKey: string, id: string): string => `/b/${boardKey}/knowledge/nodes/${id}`

export const addressOfGraph = (boardKey: string, center: string): string =>
  `/b/${boardKey}/knowledge/graph?center=${center}`

/** What something known is. */
export const TypeBadge = ({ type }: { readonly type: NodeType }) => (
  <span className={`badge kind-${type}`}>{texts.types[type]}</span>
)

export const percentOf = (share: number): number => Math.round(share * 100)

interface RecordLinkProps {
  readonly kind: string
  readonly id: string
}

/** A record of which only the id is known. */
export function RecordLink({ kind, id }: RecordLinkProps) {
  const { data, isError } = useRecordOf(kind, id)
  if (isError) return <span className="muted">{texts.queue.gone}</span>
  if (data === undefined) return <span className="muted">{messages.shell.loading}</span>
  return (
    <span className="knowledge-record">
      <Link href={addressOfRecord(kind, data.ref)}>{data.ref}</Link> {data.title}
    </span>
  )
}

interface GuardedButtonProps {
  readonly boardId: string
  readonly permission: string
  readonly onClick: () => void
  readonly children: ReactNode
  readonly label?: string
  readonly isPending?: boolean
}

/**
 * A button for those who have a permission. To others it looks disabled and says which one is lacking; pressed all the
 * same, the service refuses the call and names who may make it.
 */
export function GuardedButton({
  boardId,
  permission,
  onClick,
  children,
  label,
  isPending = false,
}: GuardedButtonProps) {
  const may = useMay(boardId, permission)
  return (
    <button
      type="button"
      className="button"
      aria-label={label}
      title={may ? undefined : texts.lacks(permission)}
      aria-disabled={!may}
      disabled={isPending}
      onClick={onClick}
    >
      {!may && <Icon name="lock" size={12} />}
      {children}
    </button>
  )
}
