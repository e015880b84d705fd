import type { ReactNode } from 'react'
import './empty.css'

interface EmptyProps {
  readonly title: string
  readonly lead?: string
  readonly children?: ReactNode
}

/** A page without content: what belongs here, and how to add it. */
export const Empty = ({ title, lead, children }: EmptyProps) => (
  <div className="empty">
    <p className="empty-title">{title}</p>
    {lead !== undefined && <p className="muted">{lead}</p>}
    {children}
  </div>
)
