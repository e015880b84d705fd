import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Linked } from '../../components/linked.tsx'
import { opening } from '../../components/part.tsx'
import { ScenarioProof } from '../../components/scenario-proof.tsx'
import { Section } from '../../components/section.tsx'
import { Time } from '../../components/time.tsx'
import { writingIn } from '../../data/needs.ts'
import { type Spec, usePlan } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import { statusWords } from '../../messages/status-words.ts'

const texts = messages.card

const ScenarioResultDialog = opening(() => import('../../forms/scenario-result-dialog.tsx'))

export type Scenario = NonNullable<Spec['test_scenarios']>[number]

interface OfSpecProps {
  readonly specId: string
  /** The ids of the scenarios that are shown; all scenarios if undefined. */
  readonly ids?: readonly string[]
  readonly title?: string
}

/** Scenarios of a spec, with their recorded results. */
export function SpecScenarios({ specId, ids, title = texts.scenarios }: OfSpecProps) {
  const { data } = usePlan('spec', specId)
  const [recorded, setRecorded] = useState<string>()
  const criteria = data?.record.acceptance_criteria ?? []
  const scenarios = (data?.record.test_scenarios ?? []).filter(({ id }) => ids === undefined || ids.includes(id))
  if (data === undefined || scenarios.length === 0) return null
  return (
    <Section title={title} count={scenarios.length}>
      <ul className="plain stack">
        {scenarios.map(scenario => (
          <li key={scenario.id} className="box stack">
            <div className="row wrap">
              <strong className="grow scenario-title" dir="auto">
                <Linked text={scenario.title} />
              </strong>
              <span className={`badge ${colours[scenario.status] ?? ''}`}>{statusWords(scenario.status)}</span>
              <Button
                needs={['SPECS_RECORD_RESULTS', writingIn('spec', data.record.status)]}
                aria-label={texts.result.recordOf(scenario.title)}
                onClick={() => setRecorded(scenario.id)}
              >
                {texts.result.record}
              </Button>
            </div>
            {scenario.proof !== null && <ScenarioProof proof={scenario.proof} />}
            <Steps scenario={scenario} criteria={criteria} />
            <Evidence scenario={scenario} />
          </li>
        ))}
      </ul>
      {recorded !== undefined && (
        <ScenarioResultDialog specId={specId} scenarioId={recorded} onClose={() => setRecorded(undefined)} />
      )}
    </Section>
  )
}

const colours: Readonly<Partial<Record<Scenario['status'], string>>> = { passed: 'green', failed: 'red' }

interface StepsProps {
  readonly scenario: Scenario
  readonly criteria: readonly string[]
}

export function Steps({ scenario: { linked_criteria, given, when, then }, criteria }: StepsProps) {
  // A criterion is named by its index or its text (specs 4.1).
  const criterionTexts = (linked_criteria ?? []).map(reference => criteria[Number(reference)] ?? reference)
  const steps = (
    [
      [texts.criteria, criterionTexts.join('\n')],
      [texts.given, given],
      [texts.when, when],
      [texts.then, then],
    ] as const
  ).filter(([, text]) => text !== '')
  return steps.length === 0 ? null : (
    <dl className="steps">
      {steps.map(([word, text]) => (
        <div key={word}>
          <dt>{word}</dt>
          <dd>
            <Linked text={text} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The evidence of the result: the location of the test, its time and its output. */
export function Evidence({ scenario: { latest_evidence, evidence } }: { readonly scenario: Scenario }) {
  const proof = latest_evidence ?? evidence
  if (proof === null || proof === undefined) return null
  const { test_file_path, test_function, last_run_at, test_run_id, output_snippet } = proof
  const where = [test_file_path, test_function, test_run_id].filter(Boolean).join(' · ')
  return (
    <details>
      <summary className="muted">
        {texts.result.evidenceLabel}{' '}
        {last_run_at && !Number.isNaN(Date.parse(last_run_at)) && <Time at={last_run_at} />}
      </summary>
      {where !== '' && <p className="muted">{where}</p>}
      {output_snippet && <pre className="theirs">{output_snippet}</pre>}
    </details>
  )
}
