import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { addressOfReport } from '../../address.ts'
import { ChipsField } from '../../components/chips-field.tsx'
import { Linked } from '../../components/linked.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Section } from '../../components/section.tsx'
import { Time } from '../../components/time.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { refreshPlan, type Spec } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.coverage.tests

type Scenario = NonNullable<Spec['test_scenarios']>[number]
type Report = Awaited<ReturnType<typeof client.listTestReports>>['items'][number]

interface ScenarioTestsProps {
  readonly board: BoardListItem
  readonly spec: Spec
}

/**
 * The tests of each scenario, edited in place, with the number of tests of the newest report that they name
 * (evidence 13); nothing on a board without reports and tests.
 */
export function ScenarioTests({ board, spec }: ScenarioTestsProps) {
  const { data: reports } = useQuery({
    queryKey: keys.list(board.id, 'test_report', { limit: 1 }),
    queryFn: async () => (await client.listTestReports({ board_id: board.id, limit: 1 })).items,
  })
  const scenarios = spec.test_scenarios ?? []
  const [report] = reports ?? []
  if (scenarios.length === 0 || (report === undefined && scenarios.every(({ tests }) => tests.length === 0)))
    return null
  return (
    <Section title={texts.title}>
      <p className="muted">{texts.lead}</p>
      {report !== undefined && (
        <p className="muted">
          {texts.counted}{' '}
          <Link href={addressOfReport(board.key, report.id!)}>
            {report.name} <Time at={report.created_at} />
          </Link>
        </p>
      )}
      <ul className="plain stack">
        {scenarios.map(scenario => (
          <TestsOfScenario key={scenario.id} spec={spec} scenario={scenario} report={report} />
        ))}
      </ul>
    </Section>
  )
}

interface TestsOfScenarioProps {
  readonly spec: Spec
  readonly scenario: Scenario
  readonly report: Report | undefined
}

function TestsOfScenario({ spec, scenario, report }: TestsOfScenarioProps) {
  const queries = useQueryClient()
  const [typed, setTyped] = useState('')
  const setting = useMutation({
    mutationFn: async (tests: string[]) => {
      await client.setScenarioTests({ spec_id: spec.id, scenario_id: scenario.id, tests })
      await refreshPlan(queries, 'spec', spec.id)
    },
  })
  const { id, title, tests } = scenario
  return (
    <li className="box stack">
      <p>
        <span className="ref">{id}</span>{' '}
        <bdi>
          <Linked text={title} />
        </bdi>
      </p>
      <ChipsField
        values={tests}
        words={{ add: texts.addTo(title), remove: texts.remove }}
        noteOf={pattern => <Matching report={report} pattern={pattern} />}
        maxLength={500}
        needs={['SPECS_MAP_TESTS']}
        onType={setTyped}
        onAdd={pattern => setting.mutate([...tests, pattern])}
        onRemove={pattern => setting.mutate(tests.filter(other => other !== pattern))}
      />
      {typed !== '' && (
        <p className="muted" role="status">
          <Matching report={report} pattern={typed} isWhole />
        </p>
      )}
      <Failure error={setting.error} />
    </li>
  )
}

interface MatchingProps {
  readonly report: Report | undefined
  readonly pattern: string
  /** Whether it is shown with a label. */
  readonly isWhole?: boolean
}

/** How many tests of a report a pattern matches; nothing if that is not known, or the pattern is invalid. */
function Matching({ report, pattern, isWhole = false }: MatchingProps) {
  const report_id = report?.id ?? ''
  const { data: total, error } = useQuery({
    queryKey: keys.part('test_report', report_id, 'matching', { pattern }),
    queryFn: async () => (await client.listTestCases({ report_id, pattern, limit: 1 })).total,
    enabled: report_id !== '',
    retry: false,
    placeholderData: keepPreviousData,
  })
  if (total === undefined || error !== null) return null
  return isWhole ? texts.matching(total) : <span className={total === 0 ? 'warn' : 'muted'}>{texts.count(total)}</span>
}
