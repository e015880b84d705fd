import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { addressOfCard, addressOfRecord } from '../../address.ts'
import { Bars } from '../../charts/bars.tsx'
import { BurnUp } from '../../charts/burn-up.tsx'
import { Figure } from '../../charts/figure.tsx'
import { StatusSign } from '../../components/status.tsx'
import { dayOf } from '../../components/time.tsx'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import type { Sprint } from '../../data/planning.ts'
import { useMay } from '../../data/rights.ts'
import { fixed, number } from '../../messages/format.ts'
import { messages } from '../../messages/messages.ts'
import type { BoardPageProps } from '../../page-props.ts'
import './sprint-progress.css'

const texts = messages.planning.sprintProgress

type Progress = Awaited<ReturnType<typeof client.getSprintProgress>>
type AtRisk = Progress['at_risk'][number]

const dayMs = 86_400_000

/** How old figures may be when a page is opened again, ms. */
const freshMs = 10_000

interface SprintProgressProps {
  readonly board: BoardPageProps['board']
  readonly sprint: Sprint
}

/** The progress of a sprint: its burn-up, its capacity, and cards at risk (insight B.18). */
export function SprintProgress({ board, sprint }: SprintProgressProps) {
  const mayRead = useMay('ANALYTICS_READ')
  const { data } = useQuery({
    queryKey: keys.list(board.id, 'analytics', { name: 'progress', sprint: sprint.id }),
    queryFn: () => client.getSprintProgress({ board_id: board.id, sprint_id: sprint.id }),
    staleTime: freshMs,
    enabled: mayRead && sprint.cards.length > 0,
  })
  if (data === undefined || sprint.cards.length === 0) return null
  return (
    <div className="sprint-progress">
      <SprintBurnUp boardKey={board.key} progress={data} />
      <Capacity progress={data} />
      {data.status !== 'closed' && data.status !== 'cancelled' && <AtRisk boardKey={board.key} cards={data.at_risk} />}
    </div>
  )
}

const dayOn = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The days after a day until the end of a sprint. */
function daysAhead(last: string, end: string | null): string[] {
  if (end === null) return []
  const count = Math.max(0, Math.round((Date.parse(end.slice(0, 10)) - Date.parse(last)) / dayMs))
  return Array.from({ length: count }, (_, index) => dayOn(Date.parse(last) + (index + 1) * dayMs))
}

function SprintBurnUp({ boardKey, progress }: { readonly boardKey: string; readonly progress: Progress }) {
  const { days, end_date, status } = progress
  const last = days.at(-1)!
  const isOver = status === 'closed' || status === 'cancelled'
  const ahead = isOver ? [] : daysAhead(last.day, end_date)
  const remaining =
    isOver || end_date === null
      ? undefined
      : texts.left(Math.round((Date.parse(end_date.slice(0, 10)) - Date.parse(last.day)) / dayMs))
  const points = days.map(({ day, scope, done }) => ({
    label: dayOf(day),
    address: `/b/${boardKey}/activity?${new URLSearchParams({ entity_type: 'card', since: day, until: day })}`,
    scope,
    done,
  }))
  return (
    <Figure
      title={texts.title}
      lead={texts.lead(last.done, last.scope, remaining)}
      file={`burn-up-${progress.ref}`}
      isDrawn
      isWide
      chart={<BurnUp label={texts.title} points={points} ahead={ahead.map(dayOf)} hasPace={end_date !== null} />}
      rows={points.toReversed()}
      keyOf={point => point.address}
      columns={[
        {
          label: texts.day,
          cell: point => <Link href={point.address}>{point.label}</Link>,
          text: point => point.label,
        },
        { label: messages.analytics.burnUp.scope, isNumber: true, cell: point => point.scope },
        { label: messages.analytics.burnUp.done, isNumber: true, cell: point => point.done },
      ]}
    />
  )
}

const mean = (value: number): string => fixed(value, Number.isInteger(value) ? 0 : 1)

/** The size of the sprint, compared with what the last ones delivered. */
function Capacity({ progress }: { readonly progress: Progress }) {
  const { planned, average, delivered } = progress.capacity
  const over = average === null ? 0 : Math.round(planned - average)
  const bars = [
    { id: progress.sprint_id, label: texts.this, value: planned },
    ...delivered.map(({ sprint_id, ref, title, done_cards }) => ({
      id: sprint_id,
      label: `${ref} ${title}`,
      value: done_cards,
      address: addressOfRecord('sprint', ref),
    })),
  ]
  return (
    <Figure
      title={texts.capacity}
      file={`capacity-${progress.ref}`}
      tools={over > 0 && <span className="badge amber">{texts.over(over)}</span>}
      chart={
        <>
          <p className="figure-lead">{average === null ? texts.noUsual : texts.usual(planned, mean(average))}</p>
          <Bars bars={bars} />
        </>
      }
      rows={bars}
      keyOf={({ id }) => id}
      columns={[
        { label: texts.sprint, cell: ({ label }) => label },
        { label: texts.cards, isNumber: true, cell: ({ value }) => number(value) },
      ]}
    />
  )
}

function AtRisk({ boardKey, cards }: { readonly boardKey: string; readonly cards: readonly AtRisk[] }) {
  return (
    <section className="figure" aria-label={texts.risk}>
      <header className="row">
        <h2>
          {texts.risk} {cards.length > 0 && <span className="muted numbers">{number(cards.length)}</span>}
        </h2>
      </header>
      {cards.length === 0 ? (
        <p className="muted">{texts.noRisk}</p>
      ) : (
        <ul className="plain risks">
          {cards.map(({ card_id, ref, title, status, reasons }) => (
            <li key={card_id}>
              <Link className="row" href={addressOfCard(boardKey, ref)}>
                <StatusSign status={status} />
                <span className="ref">{ref}</span>
                <span className="truncate grow" dir="auto">
                  {title}
                </span>
              </Link>
              <ul className="plain">
                {reasons.map(reason => (
                  <li key={reason.type}>
                    <Reason boardKey={boardKey} reason={reason} />
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Why a card is at risk, in words. */
function Reason({ boardKey, reason }: { readonly boardKey: string; readonly reason: AtRisk['reasons'][number] }) {
  const { duration } = messages.analytics
  switch (reason.type) {
    case 'dependency_blocked':
      return (
        <>
          {texts.waits}{' '}
          {reason.blocking_cards.map(({ id, ref, title }, place) => (
            <span key={id}>
              {place > 0 && ', '}
              <Link href={addressOfCard(boardKey, ref)} title={title}>
                {ref}
              </Link>
            </span>
          ))}
        </>
      )
    case 'on_hold':
      return texts.onHold
    case 'ageing':
      return texts.ageing(duration(reason.age_hours), duration(reason.p85_hours))
    case 'refused':
      return texts.refused(reason.refusals)
    case 'unclaimed':
      return texts.unclaimed(reason.hours_left < 0 ? texts.pastEnd : texts.leftHours(duration(reason.hours_left)))
  }
}
