import { Link } from 'wouter'
import { addressOfBoard, addressOfCoverage, addressOn } from '../../address.ts'
import { type Bar, Bars } from '../../charts/bars.tsx'
import { Figure, type FigureColumn } from '../../charts/figure.tsx'
import { ActionButton } from '../../components/action-button.tsx'
import { chosenOf, useAddressFilters } from '../../components/address-filters.ts'
import { periodFields } from '../../components/filters/fields.ts'
import { Filters } from '../../components/filters/filters.tsx'
import { Person } from '../../components/person.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Table } from '../../components/table.tsx'
import { dayOf } from '../../components/time.tsx'
import { client } from '../../data/client.ts'
import { saveFile } from '../../data/save-file.ts'
import { listed, number } from '../../messages/format.ts'
import { messages } from '../../messages/messages.ts'
import type { BoardPageProps } from '../../page-props.ts'
import { Ageing } from './ageing.tsx'
import { BoardBurnUp } from './burn-up.tsx'
import { Compared } from './compared.tsx'
import { CycleTimes } from './cycle-times.tsx'
import { addressOfPeriod, type RangeProps, useFigures } from './figures.ts'
import { Flow } from './flow.tsx'
import { StackedColumns } from './stacked-columns.tsx'
import './analytics.css'

const texts = messages.analytics

/** The analytics of a board (insight B). */
export default function AnalyticsPage({ board }: BoardPageProps) {
  const [search, set, clear] = useAddressFilters()
  const range = chosenOf(search, ['from', 'to'])
  const shared = { boardId: board.id, boardKey: board.key, range }
  return (
    <>
      <div className="bar filtered-bar analytics-bar">
        <h1>{texts.title}</h1>
        <search className="filter-bar">
          <span className="bar-line" />
          <Filters
            fields={periodFields(['from', 'to'], { since: texts.from, until: texts.to }, range)}
            query={search}
            onChange={set}
            onClear={clear}
          />
        </search>
        <ActionButton
          className="button quiet"
          needs={['ANALYTICS_EXPORT']}
          onAct={async () => saveFile(await client.exportBoardAnalytics({ board_id: board.id, ...range }))}
        >
          {texts.csv}
        </ActionButton>
      </div>
      <div className="page analytics">
        <Stats {...shared} />
        <div className="charts">
          <Velocity {...shared} />
          <Compared {...shared} />
          <Flow {...shared} />
          <CycleTimes {...shared} />
          <Ageing boardId={board.id} boardKey={board.key} />
          <BoardBurnUp {...shared} />
          <Funnel {...shared} />
          <Coverage {...shared} />
          <ProofWeeks {...shared} />
          <AgentFigures {...shared} />
          <Blockers boardId={board.id} boardKey={board.key} />
        </div>
      </div>
    </>
  )
}

/** A figure in the row at the top; null without data. */
interface Stat {
  readonly label: string
  readonly value: string
  readonly note?: string | undefined
  readonly address: string
}

/** The main figures, each linked to its records. */
function Stats(props: RangeProps) {
  const { data: funnel } = useFigures('funnel', props, args => client.getFunnelAnalytics(args))
  const { data: gates } = useFigures('validations', props, args => client.getValidationAnalytics(args))
  const { data: velocity } = useFigures('velocity', props, args => client.getVelocityAnalytics(args))
  if (funnel === undefined || gates === undefined || velocity === undefined) return <StatsSkeleton />
  const onBoard = addressOfBoard(props.boardKey)
  const { first_pass_rate, cards_with_validation } = gates.task_validation_gate
  const cycle = funnel.cycle_time_by_phase.card
  const open = funnel.cards - funnel.done
  const stats: readonly Stat[] = [
    {
      label: texts.stats.done,
      value: number(velocity.completed_cards),
      note: texts.stats.inPeriod,
      address: onBoard,
    },
    ...(open > 0 ? [{ label: texts.stats.open, value: number(open), address: onBoard }] : []),
    ...(cycle === null
      ? []
      : [{ label: texts.cycleHours, value: texts.duration(cycle), note: texts.stats.cycle, address: onBoard }]),
    ...(first_pass_rate === null
      ? []
      : [
          {
            label: texts.stats.firstPass,
            value: texts.percent(first_pass_rate),
            note: texts.stats.judged(cards_with_validation),
            address: `/b/${props.boardKey}/activity?action=validation_submitted`,
          },
        ]),
    ...(funnel.bugs_total === 0
      ? []
      : [
          {
            label: texts.stats.bugs,
            value: number(funnel.bugs_open),
            note: texts.stats.of(funnel.bugs_total),
            address: onBoard,
          },
        ]),
  ]
  return (
    <dl className="stats">
      {stats.map(({ label, value, note, address }) => (
        <div key={label}>
          <dt>
            <Link href={address}>{label}</Link>
          </dt>
          <dd className="numbers">
            <span>{value}</span> {note !== undefined && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const StatsSkeleton = () => (
  <div className="stats" role="status">
    <span className="hidden">{messages.shell.loading}</span>
    {[1, 2, 3, 4].map(stat => (
      <div key={stat} aria-hidden="true">
        <span className="skeleton" />
      </div>
    ))}
  </div>
)

interface BarFigureProps {
  readonly title: string
  readonly file: string
  readonly bars: readonly Bar[]
  readonly valueLabel: string
  readonly format?: (value: number) => string
}

const BarFigure = ({ title, file, bars, valueLabel, format = number }: BarFigureProps) => (
  <Figure
    title={title}
    file={file}
    chart={<Bars bars={bars} format={format} />}
    rows={bars}
    keyOf={bar => bar.label}
    columns={[
      { label: texts.stage, cell: BarName, text: bar => bar.label },
      { label: valueLabel, isNumber: true, cell: bar => format(bar.value) },
    ]}
  />
)

/** The label of a bar, linked to its records. */
const BarName = ({ label, address }: Bar) =>
  address === undefined ? (
    label
  ) : (
    <Link href={address} dir="auto">
      {label}
    </Link>
  )

/** The address of the records of a stage. */
const addressOfStage = (key: string, stage: keyof typeof texts.stages): string =>
  stage === 'cards' || stage === 'done' ? addressOfBoard(key) : `/b/${key}/${stage}`

const stages = Object.keys(texts.stages) as (keyof typeof texts.stages)[]
const phases = Object.keys(texts.phases) as (keyof typeof texts.phases)[]

function Funnel(props: RangeProps) {
  const { data, error } = useFigures('funnel', props, args => client.getFunnelAnalytics(args))
  if (data === undefined) return <Failure error={error} />
  const times = phases.flatMap(phase => {
    const hours = data.cycle_time_by_phase[phase]
    return hours === null ? [] : [{ label: texts.phases[phase], value: hours }]
  })
  return (
    <>
      <BarFigure
        title={texts.funnel}
        file="funnel"
        valueLabel={texts.count}
        bars={stages.map(stage => ({
          label: texts.stages[stage],
          value: data[stage],
          address: addressOfStage(props.boardKey, stage),
        }))}
      />
      {times.length > 0 && (
        <BarFigure title={texts.cycle} file="phases" valueLabel={texts.hours} bars={times} format={texts.duration} />
      )}
    </>
  )
}

/** The number of completed cards from which on a trend is shown. */
const minCardsForTrend = 5

/** A period of time, linked to its records. */
const weekColumn: FigureColumn<{ readonly label: string; readonly address: string }> = {
  label: texts.week,
  cell: ({ label, address }) => <Link href={address}>{label}</Link>,
  text: ({ label }) => label,
}

const kinds = Object.keys(texts.kinds) as (keyof typeof texts.kinds)[]

function Velocity(props: RangeProps) {
  const { data, error } = useFigures('velocity', props, args => client.getVelocityAnalytics(args))
  if (data === undefined) return <Failure error={error} />
  const columns = data.buckets.map(bucket => {
    const [begin, days] = 'week' in bucket ? [bucket.week, 7] : [bucket.day, 1]
    return {
      label: dayOf(begin),
      address: addressOfPeriod(props.boardKey, begin, days),
      isOpen: Date.parse(begin) + days * 86_400_000 > Date.now(),
      values: kinds.map(kind => bucket[kind]),
    }
  })
  const trend = data.completed_cards < minCardsForTrend ? undefined : texts.trends[data.trend]
  const names = kinds.map(kind => texts.kinds[kind])
  return (
    <Figure
      title={texts.velocity}
      lead={texts.velocityLead(data.completed_cards, trend)}
      file="throughput"
      isDrawn
      chart={<StackedColumns label={texts.velocity} names={names} columns={columns} openName={texts.unfinished} />}
      rows={columns}
      keyOf={column => column.label}
      columns={[
        weekColumn,
        ...names.map((name, kind) => ({
          label: name,
          isNumber: true,
          cell: ({ values }: (typeof columns)[number]) => values[kind],
        })),
      ]}
    />
  )
}

const tiers = Object.keys(texts.proof.tiers) as (keyof typeof texts.proof.tiers)[]

/** The proof of completed cards by its source, week by week; nothing if there are only claims (evidence 13). */
function ProofWeeks(props: RangeProps) {
  const { data, error } = useFigures('evidence', props, args => client.getEvidenceAnalytics(args))
  if (data === undefined) return <Failure error={error} />
  const { total, imported, by_tier } = data.done_cards
  if (by_tier.observed + by_tier.ci + by_tier.person === 0) return null
  const here = total - imported
  const columns = data.weeks.map(({ week, done, by_tier: own }) => ({
    label: dayOf(week),
    address: addressOfPeriod(props.boardKey, week, 7),
    isOpen: Date.parse(week) + 7 * 86_400_000 > Date.now(),
    done,
    values: tiers.map(tier => own[tier]),
  }))
  const names = tiers.map(tier => texts.proof.tiers[tier])
  const share = (value: number, of: number) => (of === 0 ? '–' : texts.percent((value / of) * 100))
  return (
    <Figure
      title={texts.proof.title}
      lead={texts.proof.lead(share(by_tier.ci + by_tier.person, here), share(by_tier.observed, here))}
      chart={<StackedColumns label={texts.proof.title} names={names} columns={columns} openName={texts.unfinished} />}
      file="proof"
      isDrawn
      rows={columns}
      keyOf={column => column.label}
      columns={[
        weekColumn,
        { label: texts.proof.done, isNumber: true, cell: ({ done }) => done },
        ...names.map((name, tier) => ({
          label: name,
          isNumber: true,
          cell: ({ values, done }: (typeof columns)[number]) => share(values[tier] ?? 0, done),
        })),
      ]}
    />
  )
}

function Coverage(props: RangeProps) {
  const { data, error } = useFigures('coverage', props, args => client.getCoverageAnalytics(args))
  if (data === undefined) return <Failure error={error} />
  if (data.items.every(({ total_ac }) => total_ac === 0)) return null
  return (
    <Figure
      title={texts.coverage}
      file="coverage"
      chart={
        <Bars
          whole={100}
          format={texts.percent}
          bars={data.items
            .filter(({ total_ac }) => total_ac > 0)
            .map(({ spec_id, ref, title, ac_coverage_pct }) => ({
              id: spec_id,
              label: title,
              value: ac_coverage_pct,
              address: addressOfCoverage(ref),
            }))}
        />
      }
      rows={data.items}
      keyOf={spec => spec.spec_id}
      columns={[
        {
          label: texts.spec,
          cell: spec => (
            <Link href={addressOfCoverage(spec.ref)} dir="auto">
              {spec.title}
            </Link>
          ),
          text: spec => `${spec.ref} ${spec.title}`,
        },
        {
          label: texts.criteria,
          isNumber: true,
          cell: ({ covered_ac, total_ac }) =>
            total_ac === 0 ? texts.noCriteria : messages.coverage.covered(covered_ac, total_ac),
        },
        { label: texts.requirements, isNumber: true, cell: spec => texts.percent(spec.fr_coverage_pct) },
        { label: texts.scenarios, isNumber: true, cell: spec => spec.total_scenarios },
      ]}
    />
  )
}

const orDash = (value: number | null, format: (value: number) => string): string =>
  value === null ? '–' : format(value)

function AgentFigures(props: RangeProps) {
  const { data, error } = useFigures('agents', props, args => client.getAgentAnalytics(args))
  if (data === undefined) return <Failure error={error} />
  if (data.items.length === 0) return null
  return (
    <section className="figure wide" aria-label={texts.agents}>
      <h2>{texts.agents}</h2>
      <Table
        caption={texts.agents}
        rows={data.items}
        keyOf={agent => agent.actor_id}
        columns={[
          { label: texts.agent, cell: agent => <Person name={agent.actor_name} /> },
          {
            label: texts.worked,
            isNumber: true,
            cell: agent => (
              <Link href={`/b/${props.boardKey}/activity?${new URLSearchParams({ actor_id: agent.actor_id })}`}>
                {agent.worked_cards}
              </Link>
            ),
          },
          { label: texts.done, isNumber: true, cell: agent => agent.worked_done_cards },
          {
            label: texts.firstPass,
            isNumber: true,
            cell: agent => orDash(agent.first_pass_acceptance_rate, texts.percent),
          },
          { label: texts.rework, isNumber: true, cell: agent => orDash(agent.rework_rate, texts.percent) },
          { label: texts.cycleHours, isNumber: true, cell: agent => orDash(agent.cycle_hours, texts.duration) },
        ]}
      />
    </section>
  )
}

type Blocker = Awaited<ReturnType<typeof client.getBlockersAnalytics>>['blockers'][number]

/** The details of a blocker: which cards, how long, which scenario. */
function detailOf(blocker: Blocker): string {
  switch (blocker.type) {
    case 'dependency_blocked':
      return texts.waitsFor(listed(blocker.evidence.blocking_cards.map(({ ref, title }) => `${ref} ${title}`)))
    case 'stale':
      return texts.unchanged(texts.duration(blocker.evidence.age_hours))
    case 'uncovered_scenario':
      return blocker.scenario_title
    default:
      return ''
  }
}

function Blockers({ boardId, boardKey }: Omit<RangeProps, 'range'>) {
  const { data, error } = useFigures('blockers', { boardId, range: {} }, args => client.getBlockersAnalytics(args))
  if (data === undefined) return <Failure error={error} />
  return (
    <section className="figure wide" aria-label={texts.blockers}>
      <h2>{texts.blockers}</h2>
      {data.blockers.length === 0 && <p className="muted">{texts.noBlockers}</p>}
      <ul className="plain">
        {data.blockers.map(blocker => {
          const isCard = 'card_id' in blocker
          const id = isCard ? blocker.card_id : blocker.spec_id
          return (
            <li
              key={`${blocker.type} ${id} ${'scenario_id' in blocker ? blocker.scenario_id : ''}`}
              className="blocker"
            >
              <span className="badge amber">{texts.blockerKinds[blocker.type]}</span>
              <Link href={addressOn(boardKey, isCard ? 'card' : 'spec', id)} dir="auto">
                {isCard ? blocker.card_title : blocker.spec_title}
              </Link>
              <bdi className="muted">{detailOf(blocker)}</bdi>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
