import type { ReactNode } from 'react'
import { useIsStacked } from './narrow.ts'
import './folded.css'

interface FoldedProps {
  readonly label: string
  readonly children: ReactNode
}

/** Shown beside a page where there is room; on a narrow screen, folded under its name. */
export const Folded = ({ label, children }: FoldedProps) =>
  useIsStacked() ? (
    <details className="folded-part">
      <summary>{label}</summary>
      {children}
    </details>
  ) : (
    children
  )
