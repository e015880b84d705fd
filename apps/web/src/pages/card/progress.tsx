import { Markdown } from '../../components/markdown.tsx'
import { Person } from '../../components/person.tsx'
import { Section } from '../../components/section.tsx'
import { Time } from '../../components/time.tsx'
import type { Card } from '../../data/cards.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.card

/** The progress of work on a card, as its last holder noted it, and how it will be checked (crew 5.4, 6.2). */
export const Progress = ({ card: { checkpoint, check, regression_test } }: { readonly card: Card }) => (
  <>
    {checkpoint !== null && (
      <Section title={texts.checkpoint}>
        <div className="row wrap muted">
          <Person name={checkpoint.agent_name} />
          <Time at={checkpoint.at} />
        </div>
        <Markdown text={checkpoint.text} />
      </Section>
    )}
    {(check !== null || regression_test !== null) && (
      <Section title={texts.toCheck}>
        {check !== null && <Markdown text={check.how} />}
        {regression_test !== null && <p>{regression_test}</p>}
      </Section>
    )}
  </>
)
