import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure } from '../../components/refusal.tsx'
import { Section } from '../../components/section.tsx'
import { Select } from '../../components/select.tsx'
import { useSpecs } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { refreshPlan, type Spec, usePlan } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import { type Mapping, TruncationNote } from './parts.tsx'

const texts = messages.report

/** The statuses in which reports count for the scenarios of a spec (evidence 4, rule 3). */
const counting: ReadonlySet<string> = new Set(['approved', 'validated', 'in_progress', 'done'])

interface UnmappedProps {
  readonly mapping: Mapping
  readonly boardId: string
}

/** Tests that ran and prove nothing, each with the scenarios that it may prove. */
export function Unmapped({ mapping: { unmapped, unmapped_total }, boardId }: UnmappedProps) {
  const [specId, setSpecId] = useState('')
  const { data: specs = [] } = useSpecs(boardId)
  const { data: spec } = usePlan('spec', specId === '' ? null : specId)
  if (unmapped.length === 0) return null
  return (
    <Section title={texts.unmapped} count={unmapped_total}>
      <p className="muted">{texts.unmappedLead}</p>
      <Select
        className="input report-choice"
        label={texts.spec}
        value={specId}
        none={texts.chooseSpec}
        options={specs
          .filter(({ status, archived }) => counting.has(status) && !archived)
          .map(({ id, ref, title }) => ({ value: id, label: `${ref} ${title}` }))}
        onChange={setSpecId}
      />
      <ul className="plain lines">
        {unmapped.map(address => (
          <UnmappedTest key={address} address={address} spec={spec?.record} />
        ))}
      </ul>
      <TruncationNote count={unmapped.length} total={unmapped_total} />
    </Section>
  )
}

interface UnmappedTestProps {
  readonly address: string
  /** The chosen spec. */
  readonly spec: Spec | undefined
}

/** A pattern names a test by its address, with special characters escaped (evidence 3, rule 2). */
const patternOf = (address: string): string => address.replaceAll(/[\\*]/g, found => `\\${found}`)

function UnmappedTest({ address, spec }: UnmappedTestProps) {
  const queries = useQueryClient()
  const pattern = patternOf(address)
  const scenarios = spec?.test_scenarios ?? []
  const linking = useMutation({
    mutationFn: async (scenario_id: string) => {
      const tests = scenarios.find(({ id }) => id === scenario_id)?.tests ?? []
      await client.setScenarioTests({ spec_id: spec!.id, scenario_id, tests: [...tests, pattern] })
      await refreshPlan(queries, 'spec', spec!.id)
    },
  })
  const proven = scenarios.find(({ tests }) => tests.includes(pattern))
  return (
    <li className="line">
      <code className="grow report-test" dir="auto">
        {address}
      </code>
      {proven !== undefined && <span className="badge green truncate">{texts.linked(proven.title)}</span>}
      {proven === undefined && scenarios.length > 0 && (
        <Select
          className="input report-choice"
          label={texts.scenarioOf(address)}
          value=""
          none={texts.chooseScenario}
          options={scenarios.map(({ id, title }) => ({ value: id, label: `${id} ${title}` }))}
          needs={['SPECS_MAP_TESTS']}
          disabled={linking.isPending}
          onChange={id => id !== '' && linking.mutate(id)}
        />
      )}
      <Failure error={linking.error} />
    </li>
  )
}
