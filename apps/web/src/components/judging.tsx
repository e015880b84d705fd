import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { SectionHeading } from './section.tsx'
import './judging.css'

interface JudgingProps {
  readonly title: string
  /** What is judged, with everything that speaks for and against it. */
  readonly about: ReactNode
  /** What the judge says. */
  readonly children: ReactNode
  readonly onClose: () => void
}

/** A verdict beside what it judges: nobody has to remember one while looking for the other. */
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
