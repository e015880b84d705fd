import { Link } from 'wouter'
import { addressOfCard, keyOfRef } from '../../address.ts'
import { Markdown } from '../../components/markdown.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Section } from '../../components/section.tsx'
import { type Card, useCard } from '../../data/cards.ts'
import { usePlan } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import { Changes } from './changes.tsx'
import { Proof } from './proof.tsx'
import { SpecScenarios } from './scenarios.tsx'
import { Conclusions, Validations } from './verdicts.tsx'
import './card.css'

const texts = messages.card

interface JudgedCardProps {
  readonly cardId: string
  /** Whether it shows the name of the card itself, if nothing above it does. */
  readonly isNamed?: boolean
}

/** What a verdict on a card is about: the work, its report, its proof, and former verdicts. */
export function JudgedCard({ cardId, isNamed = true }: JudgedCardProps) {
  const { data, error } = useCard(cardId)
  if (data === undefined)
    return error === null ? <p className="muted">{messages.shell.loading}</p> : <Failure error={error} />
  const { card } = data
  return (
    <>
      {isNamed && (
        <p>
          <Link href={addressOfCard(keyOfRef(card.ref), card.ref)}>
            {card.ref} <bdi>{card.title}</bdi>
          </Link>
        </p>
      )}
      {card.conclusions.length === 0 && <p className="muted">{texts.noReport}</p>}
      <Conclusions boardId={card.board_id} card={card} />
      <Criteria card={card} />
      <Proof card={card} />
      <Changes card={card} />
      <Validations card={card} />
      {card.description !== '' && card.description !== null && (
        <Section title={texts.description}>
          <Markdown text={card.description} />
        </Section>
      )}
    </>
  )
}

/** The criteria and scenarios of its spec that apply to a card without scenarios of its own. */
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
      <SpecScenarios specId={data.record.id} title={messages.planning.fields.test_scenarios} />
    </>
  )
}
