import { Markdown } from '../../components/markdown.tsx'
import { Person, Reviewer } from '../../components/person.tsx'
import { Section } from '../../components/section.tsx'
import { Time } from '../../components/time.tsx'
import { useNameOf } from '../../data/boards.ts'
import type { Card } from '../../data/cards.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.card

/** The reports of the work. */
export function Conclusions({ boardId, card }: { readonly boardId: string; readonly card: Card }) {
  const nameOf = useNameOf(boardId)
  if (card.conclusions.length === 0) return null
  return (
    <Section title={texts.conclusions} count={card.conclusions.length}>
      <ul className="plain stack">
        {card.conclusions.map(({ author_id, created_at, text, completeness, drift, check }) => (
          <li key={created_at} className="box stack">
            <div className="row wrap muted">
              <Person name={nameOf(author_id)} />
              <Time at={created_at} />
              {completeness !== null && <span className="badge numbers">{texts.completeness(completeness)}</span>}
              {drift !== null && <span className="badge numbers">{texts.drift(drift)}</span>}
            </div>
            <Markdown text={text} />
            {check !== undefined && <p className="muted">{texts.checked(check.how)}</p>}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The verdicts of reviewers, with their scores. */
export const Validations = ({ card }: { readonly card: Card }) =>
  card.validations.length === 0 ? null : (
    <Section title={texts.validations} count={card.validations.length}>
      <ul className="plain stack">
        {card.validations.map(validation => (
          <li key={validation.id} className={validation.active ? 'box stack' : 'box stack inactive'}>
            <div className="row wrap muted">
              <span className={validation.outcome === 'success' ? 'badge green' : 'badge red'}>
                {texts.outcome[validation.outcome]}
              </span>
              <Reviewer name={validation.reviewer_name} kind={validation.actor_type} isPresent={validation.present} />
              <Time at={validation.submitted_at} />
              {validation.confidence !== null && (
                <span className="badge numbers">{texts.confidence(validation.confidence)}</span>
              )}
              {validation.completeness !== null && (
                <span className="badge numbers">{texts.completeness(validation.completeness)}</span>
              )}
              {validation.drift !== null && <span className="badge numbers">{texts.drift(validation.drift)}</span>}
              {!validation.active && <span className="badge">{texts.inactive}</span>}
            </div>
            <Markdown text={validation.summary} />
            {validation.threshold_violations.length > 0 && (
              <ul aria-label={texts.violations}>
                {validation.threshold_violations.map(violation => (
                  <li key={violation}>{violation}</li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
