import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { addressOfBoard, addressOfRecord, addressOfSpec } from '../../address.ts'
import { Crumbs } from '../../components/crumbs.tsx'
import { NotRead } from '../../components/fault.tsx'
import { Icon } from '../../components/icon.tsx'
import { Linked } from '../../components/linked.tsx'
import { More } from '../../components/more.tsx'
import { recordIcons } from '../../components/record-icons.ts'
import { Section, SectionHeading } from '../../components/section.tsx'
import { Time } from '../../components/time.tsx'
import { useTitle } from '../../components/title.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { useReference } from '../../data/references.ts'
import { messages } from '../../messages/messages.ts'
import type { BoardPageProps } from '../../page-props.ts'
import { type Mapping, type Report, TruncationNote } from './parts.tsx'
import { Unmapped } from './unmapped.tsx'
import '../card/card.css'
import '../planning/planning.css'
import './report.css'

const texts = messages.report

/** A test report: totals, failing tests, results of scenarios, and tests that prove nothing yet (evidence 13). */
export default function ReportPage({ board, params }: BoardPageProps) {
  const report_id = params.report ?? ''
  const { data: report, error } = useQuery({
    queryKey: keys.record('test_report', report_id),
    queryFn: () => client.getTestReport({ report_id }),
  })
  useTitle(report && texts.title(report.name))
  if (report === undefined) return <NotRead error={error} />
  return (
    <SectionHeading value="h2">
      <div className="bar card-bar">
        <Crumbs steps={[{ label: board.name, address: addressOfBoard(board.key) }, { label: texts.crumb }]} />
      </div>
      <div className="page card-main report">
        <h1 dir="auto">{texts.title(report.name)}</h1>
        <Totals report={report} />
        <Facts report={report} />
        {report.failed > 0 && <Failing report={report} />}
        {!report.cases_kept && <p className="muted">{texts.notKept}</p>}
        {report.mapping !== undefined && (
          <>
            <Records mapping={report.mapping} boardId={board.id} />
            <Scenarios mapping={report.mapping} boardKey={board.key} />
            <Unknown mapping={report.mapping} />
            <Unmapped mapping={report.mapping} boardId={board.id} />
          </>
        )}
      </div>
    </SectionHeading>
  )
}

const colours = { passed: 'green', failed: 'red', empty: 'amber' } as const

function Totals({ report: { outcome, executed, passed, failed, skipped, flaky } }: { readonly report: Report }) {
  return (
    <p className="row wrap">
      <span className={`badge ${colours[outcome]}`}>{texts.outcomes[outcome]}</span>
      <span>{texts.totals(executed, passed)}</span>
      {failed > 0 && <span>{texts.failedCount(failed)}</span>}
      {skipped > 0 && <span className="muted">{texts.skipped(skipped)}</span>}
      {flaky > 0 && <span className="muted">{texts.flaky(flaky)}</span>}
    </p>
  )
}

/**
 * The source of a report. Its link comes from the pipeline and is not trusted: it opens in another tab without a
 * referrer.
 */
function Facts({ report }: { readonly report: Report }) {
  const { commit, branch, ci_run, run_url, submitted_by_name, created_at, files, tier } = report
  return (
    <dl className="steps">
      <div>
        <dt>{texts.by}</dt>
        <dd>
          <bdi>{submitted_by_name}</bdi> <span className="muted">{messages.card.proof.tiers[tier]}</span>
        </dd>
      </div>
      <div>
        <dt>{texts.at}</dt>
        <dd>
          <Time at={created_at} />
        </dd>
      </div>
      {commit !== null && (
        <div>
          <dt>{texts.commit}</dt>
          <dd>
            <code>{commit.slice(0, 10)}</code>
          </dd>
        </div>
      )}
      {branch !== null && (
        <div>
          <dt>{texts.branch}</dt>
          <dd dir="auto">{branch}</dd>
        </div>
      )}
      {(ci_run !== null || run_url !== null) && (
        <div>
          <dt>{texts.run}</dt>
          <dd>
            {ci_run}{' '}
            {run_url !== null && (
              <a href={run_url} target="_blank" rel="noopener noreferrer">
                {texts.toRun}
              </a>
            )}
          </dd>
        </div>
      )}
      <div>
        <dt>{texts.files}</dt>
        <dd dir="auto">{files.map(({ name }) => name).join(', ')}</dd>
      </div>
    </dl>
  )
}

const page = 50

function Failing({ report: { id, failed } }: { readonly report: Report }) {
  const report_id = id ?? ''
  const cases = useInfiniteQuery({
    queryKey: keys.part('test_report', report_id, 'failed'),
    queryFn: ({ pageParam: offset }) => client.listTestCases({ report_id, status: 'failed', limit: page, offset }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => (pages.length * page < total ? pages.length * page : undefined),
  })
  const items = cases.data?.pages.flatMap(({ items: each }) => each) ?? []
  return (
    <Section title={texts.failing} count={failed}>
      <ul className="plain stack">
        {items.map(({ address, message }) => (
          <li key={address} className="box">
            <code className="report-test" dir="auto">
              {address}
            </code>
            {message !== null && <pre className="theirs">{message}</pre>}
          </li>
        ))}
      </ul>
      <More of={cases} label={texts.moreFailing} remaining={failed - items.length} />
    </Section>
  )
}

/** Maximum number of records that are named; a run on the default branch may cover all. */
const maxRecords = 20

/** The cards and specs that it covers, and why. */
function Records({
  mapping: { records, records_total },
  boardId,
}: {
  readonly mapping: Mapping
  readonly boardId: string
}) {
  if (records.length === 0) return null
  const named = records.slice(0, maxRecords)
  return (
    <Section title={texts.records} count={records_total}>
      <ul className="plain lines">
        {named.map(record => (
          <RecordLine key={`${record.entity_type} ${record.id}`} record={record} boardId={boardId} />
        ))}
      </ul>
      <TruncationNote count={named.length} total={records_total} />
    </Section>
  )
}

interface RecordLineProps {
  readonly record: Mapping['records'][number]
  readonly boardId: string
}

function RecordLine({ record: { entity_type, ref, how }, boardId }: RecordLineProps) {
  const { data: found } = useReference(boardId, ref ?? '')
  return (
    <li className="line">
      <Icon name={recordIcons[entity_type] ?? 'file'} size={14} />
      {ref !== null && (
        <Link href={addressOfRecord(entity_type, ref)} className="ref">
          {ref}
        </Link>
      )}
      <span className="grow" dir="auto">
        {found?.title}
      </span>
      <span className="line-fact">{texts.how[how]}</span>
    </li>
  )
}

const reasonOf = (reason: string | null): string | undefined =>
  reason === null ? undefined : (texts.reasons as Readonly<Record<string, string>>)[reason]

const resultColours = { passed: 'green', failed: 'red', incomplete: 'amber', ignored: '' } as const

function Scenarios({ mapping, boardKey }: { readonly mapping: Mapping; readonly boardKey: string }) {
  const { scenarios, scenarios_total } = mapping
  return (
    <Section title={texts.scenarios} count={scenarios_total}>
      {scenarios.length === 0 ? (
        <p className="muted">{texts.none}</p>
      ) : (
        <ul className="plain lines">
          {scenarios.map(({ spec_id, spec_ref, scenario_id, title, result, reason, tests, unmatched }) => (
            <li key={`${spec_id} ${scenario_id}`} className="line">
              <span className={`badge ${resultColours[result]}`}>{texts.results[result]}</span>
              <Link href={addressOfSpec(boardKey, spec_ref ?? spec_id)} className="ref">
                {spec_ref ?? spec_id}/{scenario_id}
              </Link>
              <span className="grow" dir="auto">
                <Linked text={title} />
              </span>
              <span className="muted">
                {[reasonOf(reason), unmatched.length > 0 ? texts.unmatched(unmatched.join(', ')) : texts.tests(tests)]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </li>
          ))}
        </ul>
      )}
      <TruncationNote count={scenarios.length} total={scenarios_total} />
    </Section>
  )
}

function Unknown({ mapping: { unknown_refs, unknown_refs_total } }: { readonly mapping: Mapping }) {
  if (unknown_refs.length === 0) return null
  return (
    <Section title={texts.unknown} count={unknown_refs_total}>
      <p dir="auto">{unknown_refs.join(', ')}</p>
      <TruncationNote count={unknown_refs.length} total={unknown_refs_total} />
    </Section>
  )
}
