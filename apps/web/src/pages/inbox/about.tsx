import { Markdown } from '../../components/markdown.tsx'
import { Section } from '../../components/section.tsx'
import { useCard } from '../../data/cards.ts'
import type { InboxItem } from '../../data/inbox.ts'
import { isPlanKind } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import { Changes } from '../card/changes.tsx'
import { JudgedCard } from '../card/judged-card.tsx'
import { Proof } from '../card/proof.tsx'
import { JudgedPlan } from '../planning/judged-plan.tsx'
import { FailedScenario } from './failed-scenario.tsx'
import { MissingItems } from './missing-items.tsx'
import '../card/card.css'

/** Inbox items about a card that need the whole card. */
const judged: ReadonlySet<InboxItem['kind']> = new Set(['card_validation', 'card_approval', 'card_rework'])

/** Inbox items about a scenario of a spec. */
const failed: ReadonlySet<InboxItem['kind']> = new Set(['scenario_failed', 'regression'])

/** What an inbox item is about: the card, or the planned record, read-only. */
export default function About({ item }: { readonly item: InboxItem }) {
  const { entity_type, id } = item.record
  if (entity_type === 'card')
    return (
      <div className="entry-about card-main">
        {item.kind !== 'automation_refused' && <MissingItems missing={item.data?.missing} />}
        {judged.has(item.kind) ? <JudgedCard cardId={id} isNamed={false} /> : <AboutCard cardId={id} />}
      </div>
    )
  if (!isPlanKind(entity_type)) return null
  return (
    <div className="entry-about card-main">
      {failed.has(item.kind) && <FailedScenario item={item} />}
      <JudgedPlan kind={entity_type} id={id} isNamed={false} />
    </div>
  )
}

/** The task and progress of a card, to answer a question on it. */
function AboutCard({ cardId }: { readonly cardId: string }) {
  const { data } = useCard(cardId)
  if (data === undefined) return null
  const { card } = data
  return (
    <>
      {card.description !== null && card.description !== '' && (
        <Section title={messages.card.description}>
          <Markdown text={card.description} />
        </Section>
      )}
      <Proof card={card} />
      <Changes card={card} />
    </>
  )
}
