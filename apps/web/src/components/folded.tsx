import type { ReactNode } from 'react'
import { useIsStacked } from './narrow.ts'
import './folded.css'

interface FoldedProps {
  readonly label: string
  /** Whether it is also shown on a narrow screen, because it summarizes what is hidden there. */
  readonly isOpen?: boolean
  readonly children: ReactNode
}

/** Shown next to a page if there is room; on a narrow screen, folded under its name. */
export const Folded = ({ label, isOpen = false, children }: FoldedProps) =>
  useIsStacked() ? (
    <details className="folded-part" open={isOpen}>
      <summary>{label}</summary>
      {children}
    </details>
  ) : (
    children
  )
