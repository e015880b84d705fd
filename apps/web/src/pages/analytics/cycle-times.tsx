import { Link } from 'wouter'
import { addressOfCard } from '../../address.ts'
import { Figure } from '../../charts/figure.tsx'
import { Scatter } from '../../charts/scatter.tsx'
import { Failure } from '../../components/refusal.tsx'
import { dayOf } from '../../components/time.tsx'
import { client } from '../../data/client.ts'
import { messages } from '../../messages/messages.ts'
import { daysOf, type RangeProps, useFigures } from './figures.ts'

const texts = messages.analytics.cycleTimes

/** Maximum number of cards that are drawn; the percentiles are of all. */
const max = 1_000

/** The smallest duration that is shown, h. */
const minute = 1 / 60

/** The cycle times of completed cards, one dot per card, with their percentiles (insight B.17). */
export function CycleTimes(props: RangeProps) {
  const { from, to } = daysOf(props.range)
  const { data, error } = useFigures('cycle-times', props, args =>
    client.getCycleTimeAnalytics({ ...args, from, to, limit: max }),
  )
  if (data === undefined) return <Failure error={error} />
  if (data.cards.length === 0) return null
  const { duration } = messages.analytics
  const { p50, p85, p95 } = data.percentiles
  const marks = [
    { share: 50, hours: p50 },
    { share: 85, hours: p85 },
    { share: 95, hours: p95 },
  ].flatMap(({ share, hours }) =>
    hours === null ? [] : [{ hours, says: texts.within(share, duration(Math.max(hours, minute))) }],
  )
  return (
    <Figure
      title={texts.title}
      lead={texts.lead(data.cards.length, data.completed_cards)}
      file="cycle-times"
      isDrawn
      chart={
        <Scatter
          label={texts.title}
          from={data.from_date}
          to={data.to_date}
          marks={marks}
          dots={data.cards
            .map(card => ({
              id: card.card_id,
              ref: card.ref,
              title: card.title,
              address: addressOfCard(props.boardKey, card.ref),
              at: card.completed_at,
              hours: card.cycle_hours,
              className: card.card_type,
            }))
            .toReversed()}
        />
      }
      rows={data.cards}
      keyOf={card => card.card_id}
      columns={[
        {
          label: messages.analytics.ageing.card,
          cell: card => (
            <Link href={addressOfCard(props.boardKey, card.ref)} dir="auto">
              {card.title}
            </Link>
          ),
          text: card => `${card.ref} ${card.title}`,
        },
        { label: messages.analytics.done, cell: card => dayOf(card.completed_at) },
        { label: messages.analytics.cycleHours, isNumber: true, cell: card => duration(card.cycle_hours) },
      ]}
    />
  )
}
