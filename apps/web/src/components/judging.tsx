import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { SectionHeading } from './section.tsx'
import './judging.css'

interface JudgingProps {
  readonly title: string
  /** What is evaluated, with everything that speaks for and against it. */
  readonly about: ReactNode
  /** The form of the evaluation. */
  readonly children: ReactNode
  readonly onClose: () => void
}

/** A verdict next to what it evaluates, so that nobody has to remember one while looking for the other. */
export const Judging = ({ title, about, children, onClose }: JudgingProps) => (
  <Dialog title={title} kind="wide" onClose={onClose}>
    <div className="judging">
      <SectionHeading value="h3">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must take the focus */}
        <section className="judging-about card-main" tabIndex={0} aria-label={title}>
          {about}
        </section>
      </SectionHeading>
      <div className="judging-says">{children}</div>
    </div>
  </Dialog>
)
