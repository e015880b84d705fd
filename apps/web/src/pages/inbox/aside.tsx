import type { ReactNode } from 'react'
import { Icon } from '../../components/icon.tsx'

interface AsideProps {
  /** The id of its heading. */
  readonly id: string
  readonly title: string
  /** Shown next to the title. */
  readonly says: ReactNode
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
  readonly children: ReactNode
}

/** A part of the inbox that is folded until somebody opens it. */
export const Aside = ({ id, title, says, isOpen, onOpen, children }: AsideProps) => (
  <section aria-labelledby={id}>
    <h2 id={id} className="inbox-aside">
      <button type="button" className="inbox-group inbox-fold" aria-expanded={isOpen} onClick={() => onOpen(!isOpen)}>
        <Icon name="chevron" size={14} /> {title} {says}
      </button>
    </h2>
    {isOpen && children}
  </section>
)
