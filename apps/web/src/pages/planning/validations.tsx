import { useQuery } from '@tanstack/react-query'
import { Markdown } from '../../components/markdown.tsx'
import { Reviewer } from '../../components/person.tsx'
import { Section } from '../../components/section.tsx'
import { Time } from '../../components/time.tsx'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { messages } from '../../messages/messages.ts'
import type { ShownPlan } from './shown.ts'

const texts = messages.verdicts

const scores = ['completeness', 'assertiveness', 'ambiguity'] as const

/** The validations of a spec, newest first: one that passed locks it (specs 7). */
export const Validations = ({ kind, record }: Pick<ShownPlan, 'kind' | 'record'>) =>
  kind === 'spec' ? <OfSpec id={record.id} /> : null

function OfSpec({ id }: { readonly id: string }) {
  const { data } = useQuery({
    queryKey: keys.part('spec', id, 'validations'),
    queryFn: async () => (await client.listSpecValidations({ spec_id: id })).validations,
  })
  if (data === undefined || data.length === 0) return null
  return (
    <Section title={texts.validations} count={data.length}>
      <ul className="plain stack">
        {data.map(validation => (
          <li key={validation.id} className={validation.active ? 'box stack' : 'box stack inactive'}>
            <div className="row wrap muted">
              <span className={validation.outcome === 'success' ? 'badge green' : 'badge red'}>
                {texts.outcome[validation.outcome]}
              </span>
              <Reviewer name={validation.reviewer_name} kind={validation.actor_type} isPresent={validation.present} />
              <Time at={validation.created_at} />
              {validation.active && <span className="badge">{texts.active}</span>}
            </div>
            <Markdown text={validation.general_justification} />
            <dl className="verdict-scores">
              {scores.map(score => (
                <div key={score}>
                  <dt>{texts.scores[score]}</dt>
                  <dd>
                    <span className="numbers">{validation[score]}</span> {validation[`${score}_justification`]}
                  </dd>
                </div>
              ))}
            </dl>
            {validation.threshold_violations.length > 0 && (
              <p className="muted">{texts.failed(validation.threshold_violations.join(', '))}</p>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
