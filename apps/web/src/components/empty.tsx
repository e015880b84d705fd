import type { ReactNode } from 'react'
import './empty.css'

interface EmptyProps {
  readonly title: string
  readonly lead?: string
  readonly children?: ReactNode
}

/** What a page says that has nothing to show: what belongs there, and how it comes there. */
export const Empty = ({ title, lead, children }: EmptyProps) => (
  <div className="empty">
    <p className="empty-title">{title}</p>
    {lead !== undefined && <p className="muted">{lead}</p>}
    {children}
  </div>
)
