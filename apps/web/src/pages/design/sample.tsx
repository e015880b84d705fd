import type { ReactNode } from 'react'

interface SampleProps {
  readonly title: string
  readonly children: ReactNode
}

/** A group of related components, under its name. */
export const Sample = ({ title, children }: SampleProps) => (
  <div className="design-sample">
    <h2>{title}</h2>
    <div className="design-states">{children}</div>
  </div>
)

interface StateProps {
  readonly name: string
  readonly children: ReactNode
}

/** One state of a component, with its name below. */
export const State = ({ name, children }: StateProps) => (
  <div className="design-state">
    {children}
    <small>{name}</small>
  </div>
)
