import type { ReactNode } from 'react'

interface SampleProps {
  readonly title: string
  readonly children: ReactNode
}

/** Some components that belong together, under their name. */
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
