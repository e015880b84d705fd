import { Link } from 'wouter'
import { addressOfDesign } from '../address.ts'
import { Section } from '../components/section.tsx'
import type { Card } from '../data/cards.ts'
import { messages } from '../messages/messages.ts'

const texts = messages.architecture

interface DesignsProps {
  readonly boardKey: string
  readonly designs: Card['architecture_designs']
}

/** The designs of a record, each linked to its page. */
export const Designs = ({ boardKey, designs }: DesignsProps) =>
  designs.length === 0 ? null : (
    <Section title={texts.title} count={designs.length}>
      <ul className="plain">
        {designs.map(({ id, title, version }) => (
          <li key={id}>
            <Link className="reference row" href={addressOfDesign(boardKey, id)}>
              <span className="truncate grow" dir="auto">
                {title}
              </span>
              <span className="badge numbers">{texts.version(version)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
