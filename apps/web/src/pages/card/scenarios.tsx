import { useQuery } from '@tanstack/react-query'
import { Section } from '../../components/section.tsx'
import type { Card } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.card

/** The criteria and scenarios of the spec that the card answers for. */
export function Scenarios({ card }: { readonly card: Card }) {
  const { data: spec } = useQuery({
    queryKey: keys.record('spec', card.spec_id ?? ''),
    queryFn: () => client.getSpec({ spec_id: card.spec_id! }),
    enabled: card.spec_id !== null && card.test_scenario_ids.length > 0,
  })
  const scenarios = (spec?.test_scenarios ?? []).filter(({ id }) => card.test_scenario_ids.includes(id))
  if (scenarios.length === 0) return null
  return (
    <Section title={texts.scenarios} count={scenarios.length}>
      <ul className="plain stack">
        {scenarios.map(({ id, title, given, when, then, status }) => (
          <li key={id} className="box stack">
            <div className="row">
              <strong className="grow">{title}</strong>
              <span className={`badge ${status === 'passed' ? 'green' : status === 'failed' ? 'red' : ''}`}>
                {status}
              </span>
            </div>
            <dl className="steps">
              {(
                [
                  [texts.given, given],
                  [texts.when, when],
                  [texts.then, then],
                ] as const
              )
                .filter(([, text]) => text !== '')
                .map(([word, text]) => (
                  <div key={word}>
                    <dt>{word}</dt>
                    <dd>{text}</dd>
                  </div>
                ))}
            </dl>
          </li>
        ))}
      </ul>
    </Section>
  )
}
