import type { ReactNode } from 'react'

interface PropertyProps {
  readonly label: string
  readonly children: ReactNode
}

/** A property of a record beside its document; stands in a list of the class `properties`. */
export const Property = ({ label, children }: PropertyProps) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)
