import { createContext, type ReactNode, useContext, useId } from 'react'
import { number } from '../messages/format.ts'

/** The level of section headings: below the title of a page, or below that of a record in a dialog. */
export const SectionHeading = createContext<'h2' | 'h3' | 'h4'>('h4')

interface SectionProps {
  readonly title: string
  readonly count?: number
  /** A fact next to the title, such as the share that is done. */
  readonly note?: string | undefined
  /** Actions on the part as a whole, at the end of its heading. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A part of a record's page, under a heading of its own. */
export function Section({ title, count, note, actions, children }: SectionProps) {
  const id = useId()
  const Heading = useContext(SectionHeading)
  return (
    <section className="section" aria-labelledby={id}>
      <div className="section-head">
        <Heading id={id} className="section-title">
          {title} {count !== undefined && count > 0 && <span className="muted numbers">{number(count)}</span>}
          {note !== undefined && <span className="muted numbers">{note}</span>}
        </Heading>
        {actions}
      </div>
      {children}
    </section>
  )
}
