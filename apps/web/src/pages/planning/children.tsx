import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { addressOfRecord } from '../../address.ts'
import { PlanStatusBadge } from '../../components/plan-status.tsx'
import { Section } from '../../components/section.tsx'
import { Status } from '../../components/status.tsx'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import type { PlanKind, PlanRecord, PlanStatus, Spec, Sprint } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import type { ShownPlan } from './shown.ts'
import { SprintCards } from './sprint-cards.tsx'
import { SuggestedSprints } from './suggested-sprints.tsx'

const texts = messages.planning

/** The records derived from a record. */
export const Children = ({ board, record }: ShownPlan) => (
  <>
    {'refinements' in record && <Records title={texts.refinements} kind="refinement" records={record.refinements} />}
    {'specs' in record && <Records title={texts.specs} kind="spec" records={record.specs} />}
    {isSpec(record) && <Sprints boardId={board.id} specId={record.id} />}
    {isSpec(record) && record.cards.length > 0 && <SuggestedSprints boardId={board.id} spec={record} />}
    {'cards' in record && <Cards cards={record.cards} />}
    {'cards_done' in record && <SprintCards sprint={record} />}
  </>
)

interface ListedPlan {
  readonly id: string
  readonly ref: string
  readonly title: string
  readonly status: PlanStatus
}

interface RecordsProps {
  readonly title: string
  readonly kind: PlanKind
  readonly records: readonly ListedPlan[]
}

const Records = ({ title, kind, records }: RecordsProps) =>
  records.length === 0 ? null : (
    <Section title={title} count={records.length}>
      <ul className="plain">
        {records.map(({ id, ref, title: says, status }) => (
          <li key={id}>
            <Link className="reference row" href={addressOfRecord(kind, ref)}>
              <span className="ref">{ref}</span>
              <span className="truncate grow" dir="auto">
                {says}
              </span>
              <PlanStatusBadge status={status} />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )

const isSpec = (record: PlanRecord): record is Spec => 'functional_requirements' in record

function Sprints({ boardId, specId }: { readonly boardId: string; readonly specId: string }) {
  const { data } = useQuery({
    queryKey: keys.list(boardId, 'sprint', { spec: specId }),
    queryFn: async () => (await client.listSpecSprints({ board_id: boardId, spec_id: specId })).items,
  })
  return <Records title={texts.sprints} kind="sprint" records={data ?? []} />
}

const Cards = ({ cards }: { readonly cards: Spec['cards'] | Sprint['cards'] }) =>
  cards.length === 0 ? null : (
    <Section title={texts.cards} count={cards.length}>
      <ul className="plain">
        {cards.map(({ id, ref, title, status }) => (
          <li key={id}>
            <Link className="reference row" href={addressOfRecord('card', ref)}>
              <span className="ref">{ref}</span>
              <span className="truncate grow" dir="auto">
                {title}
              </span>
              <Status status={status} />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
