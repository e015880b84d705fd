import { Link } from 'wouter'
import { Figure } from '../../charts/figure.tsx'
import { Table } from '../../components/table.tsx'
import { client } from '../../data/client.ts'
import { number } from '../../messages/format.ts'
import { messages } from '../../messages/messages.ts'
import { dayAfter, daysOf, type RangeProps, useFigures } from './figures.ts'

const texts = messages.analytics.compared

/** How many days are compared where no range is chosen. */
const usualDays = 30

/** A figure of two periods; null where there is nothing to measure. */
interface Row {
  readonly label: string
  readonly now: number | null
  readonly before: number | null
  readonly format: (value: number) => string
  /** Whether a higher or a lower value is better; undefined if neither is. */
  readonly better: 'more' | 'less' | undefined
  /** The action in the activity that it is measured from. */
  readonly action: string
}

/** The figures of a period that are compared. */
function usePeriod(props: RangeProps, from: string, to: string) {
  const of = { ...props, range: { from, to } }
  const { data: velocity } = useFigures('velocity', of, args => client.getVelocityAnalytics(args))
  const { data: times } = useFigures('percentiles', of, args => client.getCycleTimeAnalytics({ ...args, limit: 1 }))
  const { data: gates } = useFigures('validations', of, args => client.getValidationAnalytics(args))
  const { data: funnel } = useFigures('funnel', of, args => client.getFunnelAnalytics(args))
  if (velocity === undefined || times === undefined || gates === undefined || funnel === undefined) return undefined
  return {
    done: velocity.completed_cards,
    p50: times.percentiles.p50,
    p85: times.percentiles.p85,
    first: gates.task_validation_gate.first_pass_rate,
    refused: velocity.buckets.reduce((sum, { validation_bounce }) => sum + validation_bounce, 0),
    made: funnel.cards,
    bugs: funnel.bugs_total,
  }
}

/** Compares a period with the one before it of the same length; by default the last 30 days. */
export function Compared(props: RangeProps) {
  const { to } = daysOf(props.range)
  const { from } = props.range.from === undefined ? { from: dayAfter(to, 1 - usualDays) } : daysOf(props.range)
  const { days } = daysOf({ from, to })
  const earlier = { from: dayAfter(from, -days), to: dayAfter(from, -1) }
  const now = usePeriod(props, from, to)
  const before = usePeriod(props, earlier.from, earlier.to)
  if (now === undefined || before === undefined) return null
  const { duration, percent } = messages.analytics
  const row = (
    key: keyof typeof now,
    format: Row['format'],
    better: Row['better'],
    action: string,
  ): Row & { readonly key: string } => ({
    key,
    label: texts.rows[key],
    now: now[key],
    before: before[key],
    format,
    better,
    action,
  })
  const rows = [
    row('done', number, 'more', 'card_moved'),
    row('p50', duration, 'less', 'card_moved'),
    row('p85', duration, 'less', 'card_moved'),
    row('first', percent, 'more', 'validation_submitted'),
    row('refused', number, 'less', 'validation_submitted'),
    row('made', number, undefined, 'card_created'),
    row('bugs', number, 'less', 'card_created'),
  ]
  const formatValue = (value: number | null, format: Row['format']) => (value === null ? '–' : format(value))
  const columns = [
    {
      label: texts.figure,
      cell: ({ label, action }: Row) => (
        <Link href={`/b/${props.boardKey}/activity?${new URLSearchParams({ action, since: from, until: to })}`}>
          {label}
        </Link>
      ),
      text: ({ label }: Row) => label,
    },
    { label: texts.now, isNumber: true, cell: (entry: Row) => formatValue(entry.now, entry.format) },
    { label: texts.before, isNumber: true, cell: (entry: Row) => formatValue(entry.before, entry.format) },
    { label: texts.change, isNumber: true, cell: Change, text: (entry: Row) => changeOf(entry)?.says ?? '' },
  ]
  const table = <Table caption={texts.title(days)} columns={columns} rows={rows} keyOf={({ key }) => key} />
  return (
    <Figure
      title={texts.title(days)}
      file="compared"
      chart={table}
      isTableOnly
      columns={columns}
      rows={rows}
      keyOf={({ key }) => key}
    />
  )
}

/** The change of a figure in percent; of a percentage, in points. */
function changeOf({ now, before, format, better }: Row) {
  if (now === null || before === null) return undefined
  const isShare = format === messages.analytics.percent
  if (!isShare && before === 0) return undefined
  const by = isShare ? now - before : ((now - before) / before) * 100
  const rounded = Math.round(by)
  const isGood = better === undefined || rounded === 0 ? undefined : by > 0 === (better === 'more')
  return { says: isShare ? texts.points(rounded) : texts.percent(rounded), isGood }
}

const Change = (row: Row) => {
  const change = changeOf(row)
  if (change === undefined) return <span className="muted">–</span>
  const { says, isGood } = change
  return <span className={isGood === undefined ? 'muted' : isGood ? 'ok' : 'bad'}>{says}</span>
}
