import { Section } from '../components/section.tsx'
import type { Card } from '../data/cards.ts'
import { messages } from '../messages/messages.ts'
import './materials.css'
import { Linked } from '../components/linked.tsx'

interface MockupsProps {
  readonly screens: Card['screen_mockups']
}

/** Mockup screens, each in a frame without scripts, forms or an origin of its own. */
export const Mockups = ({ screens }: MockupsProps) =>
  screens.length === 0 ? null : (
    <Section title={messages.card.mockups} count={screens.length}>
      {screens.map(({ id, title, description, html_content }) => (
        <details key={id} className="box">
          <summary dir="auto">{title}</summary>
          {description !== null && (
            <p className="muted">
              <Linked text={description} />
            </p>
          )}
          <iframe className="mockup" title={title} sandbox="" srcDoc={html_content} />
        </details>
      ))}
    </Section>
  )
