import { Markdown } from '../../components/markdown.tsx'
import { Section } from '../../components/section.tsx'
import type { Card } from '../../data/cards.ts'
import { messages } from '../../messages/messages.ts'

/** What is known that helps with the card. */
export const Knowledge = ({ card }: { readonly card: Card }) =>
  card.knowledge_bases.length === 0 ? null : (
    <Section title={messages.card.knowledge} count={card.knowledge_bases.length}>
      {card.knowledge_bases.map(({ id, title, content }) => (
        <details key={id} className="box">
          <summary>{title}</summary>
          <Markdown text={content} />
        </details>
      ))}
    </Section>
  )
