import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { useIsStacked } from './narrow.ts'
import './folded.css'

interface FoldedProps {
  readonly label: string
  readonly children: ReactNode
}

/** What stands beside a page where there is room; on a narrow one, folded away behind its name. */
export const Folded = ({ label, children }: FoldedProps) =>
  useIsStacked() ? (
    <details className="folded-part">
      <summary>
        <Icon name="chevron" size={14} /> {label}
      </summary>
      {children}
    </details>
  ) : (
    children
  )
