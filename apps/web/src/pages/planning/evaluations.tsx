import { Markdown } from '../../components/markdown.tsx'
import { Person } from '../../components/person.tsx'
import { Section } from '../../components/section.tsx'
import { Time } from '../../components/time.tsx'
import { messages } from '../../messages/messages.ts'
import type { ShownPlan } from './shown.ts'

const texts = messages.planning

const colours = { approve: 'green', request_changes: 'amber', reject: 'red' } as const

/** Verdicts on a spec or sprint. */
export function Evaluations({ record }: Pick<ShownPlan, 'record'>) {
  if (!('evaluations' in record) || record.evaluations === null || record.evaluations.length === 0) return null
  return (
    <Section title={texts.evaluations} count={record.evaluations.length}>
      <ul className="plain stack">
        {record.evaluations.map(evaluation => (
          <li key={evaluation.id} className={evaluation.stale ? 'box stack inactive' : 'box stack'}>
            <div className="row wrap muted">
              <span className={`badge ${colours[evaluation.recommendation]}`}>
                {texts.recommendations[evaluation.recommendation]}
              </span>
              <Person name={evaluation.evaluator_name} />
              <Time at={evaluation.created_at} />
              <span className="badge numbers">{texts.score(evaluation.overall_score)}</span>
              {evaluation.stale && <span className="badge">{texts.stale}</span>}
            </div>
            <Markdown text={evaluation.overall_justification} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
