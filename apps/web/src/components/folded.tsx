import type { ReactNode } from 'react'
import { useIsStacked } from './narrow.ts'
import './folded.css'

interface FoldedProps {
  readonly label: string
  /** Whether it is shown on a narrow screen too: it says what else is not seen there. */
  readonly isOpen?: boolean
  readonly children: ReactNode
}

/** Shown beside a page where there is room; on a narrow screen, folded under its name. */
export const Folded = ({ label, isOpen = false, children }: FoldedProps) =>
  useIsStacked() ? (
    <details className="folded-part" open={isOpen}>
      <summary>{label}</summary>
      {children}
    </details>
  ) : (
    children
  )
