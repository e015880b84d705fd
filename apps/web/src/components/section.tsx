import { createContext, type ReactNode, useContext, useId } from 'react'

/** The level of the headings of sections: below the title of a page, or below that of a record in a dialog. */
export const SectionHeading = createContext<'h2' | 'h3' | 'h4'>('h4')

interface SectionProps {
  readonly title: string
  readonly count?: number
  readonly children: ReactNode
}

/** A part of a record's page, under a heading of its own. */
export function Section({ title, count, children }: SectionProps) {
  const id = useId()
  const Heading = useContext(SectionHeading)
  return (
    <section className="section" aria-labelledby={id}>
      <Heading id={id} className="section-title">
        {title} {count !== undefined && <span className="muted numbers">{count}</span>}
      </Heading>
      {children}
    </section>
  )
}
