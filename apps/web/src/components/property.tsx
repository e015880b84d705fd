import type { ReactNode } from 'react'

interface PropertyProps {
  readonly label: string
  readonly children: ReactNode
}

/** A named property; used in a `dl`. */
export const Property = ({ label, children }: PropertyProps) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)
