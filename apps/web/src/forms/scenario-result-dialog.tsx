import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Choice } from '../components/choice.tsx'
import { Dialog } from '../components/dialog.tsx'
import { InputField } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { TextArea } from '../components/input.tsx'
import { Linked } from '../components/linked.tsx'
import { Submit } from '../components/submit.tsx'
import { client } from '../data/client.ts'
import { useKeptField } from '../data/drafts.ts'
import { refreshPlan, usePlan } from '../data/planning.ts'
import { messages } from '../messages/messages.ts'

interface ScenarioResultDialogProps {
  readonly specId: string
  readonly scenarioId: string
  readonly onClose: () => void
}

const texts = messages.card.result

const results = ['passed', 'failed', 'automated', 'ready'] as const
type Result = (typeof results)[number]

/** The evidence of a result (specs 4.3): the time and output of a run, or the location of an automated test. */
const evidenceOf: Readonly<Record<Result, readonly (keyof typeof texts.evidence)[]>> = {
  passed: ['output_snippet'],
  failed: ['output_snippet'],
  automated: ['test_file_path', 'test_function'],
  ready: [],
}

const isRun = (result: Result): boolean => result === 'passed' || result === 'failed'

/** Records the result of a test scenario, with its evidence. */
export default function ScenarioResultDialog({ specId, scenarioId, onClose }: ScenarioResultDialogProps) {
  const queries = useQueryClient()
  const { data } = usePlan('spec', specId)
  const draft = `result:${scenarioId}`
  const draftResult = useKeptField(draft, 'result')
  const [result, setResult] = useState(results.find(value => value === draftResult) ?? 'passed')
  const scenario = data?.record.test_scenarios?.find(({ id }) => id === scenarioId)
  const recording = useMutation({
    mutationFn: async (fields: FormData) => {
      const evidence = Object.fromEntries(evidenceOf[result].map(name => [name, String(fields.get(name))]))
      const note = String(fields.get('note')).trim()
      await client.recordScenarioResult({
        spec_id: specId,
        scenario_id: scenarioId,
        status: result,
        evidence:
          result === 'ready' ? null : { ...evidence, ...(isRun(result) && { last_run_at: new Date().toISOString() }) },
        note: note === '' ? null : note,
      })
      await refreshPlan(queries, 'spec', specId)
    },
    onSuccess: onClose,
  })
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <Form draft={draft} className="stack scrolls" onSend={recording.mutateAsync}>
        {scenario !== undefined && (
          <p className="muted">
            <Linked text={scenario.title} />
          </p>
        )}
        <Choice
          label={texts.result}
          name="result"
          value={result}
          options={results.map(value => ({ value, label: texts.results[value] }))}
          onChange={value => setResult(value === '' ? 'passed' : value)}
        />
        {evidenceOf[result].map(name => (
          <label key={name} className="field">
            <span>{texts.evidence[name]}</span>
            <TextArea name={name} required rows={name === 'output_snippet' ? 4 : 1} />
          </label>
        ))}
        <InputField label={texts.note} name="note" maxLength={2000} />
        <Submit sending={recording}>{texts.record}</Submit>
      </Form>
    </Dialog>
  )
}
