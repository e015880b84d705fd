import { type ReactNode, useId } from 'react'

interface SectionProps {
  readonly title: string
  readonly count?: number
  readonly children: ReactNode
}

/** A part of a record's page, under a heading of its own. */
export function Section({ title, count, children }: SectionProps) {
  const id = useId()
  return (
    <section className="section" aria-labelledby={id}>
      <h4 id={id} className="section-title">
        {title} {count !== undefined && <span className="muted numbers">{count}</span>}
      </h4>
      {children}
    </section>
  )
}
