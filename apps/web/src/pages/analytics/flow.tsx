import { Areas } from '../../charts/areas.tsx'
import { Figure } from '../../charts/figure.tsx'
import { Failure } from '../../components/refusal.tsx'
import { dayOf } from '../../components/time.tsx'
import type { CardStatus } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { messages } from '../../messages/messages.ts'
import { addressOfPeriod, daysOf, type RangeProps, useFigures } from './figures.ts'

const texts = messages.analytics.flow

/** The statuses of a flow, from bottom to top. */
const layers = [
  'done',
  'validation',
  'on_hold',
  'in_progress',
  'started',
  'not_started',
] as const satisfies readonly CardStatus[]

/** The flow of a board or of one of its specs, starting when it first has cards (insight B.16). */
export function useFlow(props: RangeProps, spec_id?: string) {
  const { from, to, granularity } = daysOf(props.range)
  const ofSpec = spec_id !== undefined && { spec_id }
  const { data, error } = useFigures(`flow ${granularity} ${spec_id ?? ''}`, props, args =>
    client.getFlowAnalytics({ ...args, from, to, granularity, ...ofSpec }),
  )
  if (data === undefined) return { error }
  const points = data.buckets.map(bucket => {
    const [begin, days] = 'week' in bucket ? [bucket.week, 7] : [bucket.day, 1]
    return { ...bucket, label: dayOf(begin), address: addressOfPeriod(props.boardKey, begin, days) }
  })
  const first = points.findIndex(point => point.cancelled + layers.reduce((sum, status) => sum + point[status], 0) > 0)
  return { error, points: first === -1 ? [] : points.slice(Math.max(0, first - 1)) }
}

/** How many cards had each status over time: a cumulative flow. */
export function Flow(props: RangeProps) {
  const { points, error } = useFlow(props)
  if (points === undefined) return <Failure error={error} />
  if (points.length === 0) return null
  const statuses = messages.board.statuses
  return (
    <Figure
      title={texts.title}
      lead={texts.lead}
      file="flow"
      isDrawn
      isWide
      chart={
        <Areas
          label={texts.title}
          points={points}
          layers={layers.map(status => ({
            name: statuses[status],
            className: `flow-${status}`,
            values: points.map(point => point[status]),
          }))}
        />
      }
      rows={points.toReversed()}
      keyOf={point => point.address}
      columns={[
        { label: texts.day, cell: point => point.label },
        ...[...layers.toReversed(), 'cancelled' as const].map(status => ({
          label: statuses[status],
          isNumber: true,
          cell: (point: (typeof points)[number]) => point[status],
        })),
      ]}
    />
  )
}
