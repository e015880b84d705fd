import type { ReactNode } from 'react'

interface PropertyProps {
  readonly label: string
  /** The key that moves the focus to its control. */
  readonly keyName?: string
  readonly children: ReactNode
}

/** A named property; used in a `dl`. */
export const Property = ({ label, keyName, children }: PropertyProps) => (
  <div data-key={keyName}>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)
