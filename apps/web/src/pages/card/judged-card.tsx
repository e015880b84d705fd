import { Link } from 'wouter'
import { addressOfCard, keyOfRef } from '../../address.ts'
import { Markdown } from '../../components/markdown.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Section } from '../../components/section.tsx'
import { type Card, useCard } from '../../data/cards.ts'
import { usePlan } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import { OfSpec, Scenarios } from './scenarios.tsx'
import { Conclusions, Validations } from './verdicts.tsx'
import './card.css'

const texts = messages.card

/** What a verdict on a card is about: the work, what was reported of it, what proves it, and former verdicts. */
export function JudgedCard({ cardId }: { readonly cardId: string }) {
  const { data, error } = useCard(cardId)
  if (data === undefined)
    return error === null ? <p className="muted">{messages.shell.loading}</p> : <Failure error={error} />
  const { card } = data
  return (
    <>
      <p>
        <Link href={addressOfCard(keyOfRef(card.ref), card.ref)}>
          {card.ref} {card.title}
        </Link>
      </p>
      {card.conclusions.length === 0 && <p className="muted">{texts.noReport}</p>}
      <Conclusions boardId={card.board_id} card={card} />
      <Criteria card={card} />
      <Scenarios card={card} />
      <Validations card={card} />
      {card.description !== '' && card.description !== null && (
        <Section title={texts.description}>
          <Markdown text={card.description} />
        </Section>
      )}
    </>
  )
}

/** The criteria and scenarios of its spec that a card without scenarios of its own is measured by. */
function Criteria({ card }: { readonly card: Card }) {
  const { data } = usePlan('spec', card.test_scenario_ids.length === 0 ? card.spec_id : null)
  const criteria = data?.record.acceptance_criteria ?? []
  if (data === undefined) return null
  return (
    <>
      {criteria.length > 0 && (
        <Section title={messages.planning.fields.acceptance_criteria} count={criteria.length}>
          <ol>
            {criteria.map((criterion, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a criterion is its place
              <li key={place}>{criterion}</li>
            ))}
          </ol>
        </Section>
      )}
      <OfSpec specId={data.record.id} title={messages.planning.fields.test_scenarios} />
    </>
  )
}
