import type { ReactNode } from 'react'

interface PropertyProps {
  readonly label: string
  readonly children: ReactNode
}

/** A property of something, by its name; stands in a `dl`. */
export const Property = ({ label, children }: PropertyProps) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)
