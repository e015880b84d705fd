import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { Choice } from '../../components/choice.tsx'
import { InputField } from '../../components/field.tsx'
import { Input } from '../../components/input.tsx'
import { Failure } from '../../components/refusal.tsx'
import { changing as changingField, type Needs } from '../../data/needs.ts'
import type { Spec, Sprint } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import type { Change } from './shown.ts'

const texts = messages.planning.gateRules

/**
 * The gate checks of a spec or sprint that can be skipped. Checks that no sprint gate makes are not offered for
 * sprints.
 */
const flags = [
  'skip_test_coverage',
  'skip_rules_coverage',
  'skip_trs_coverage',
  'skip_contract_coverage',
  'skip_decisions_coverage',
  'skip_qualitative_validation',
] as const

/** Thresholds; if one is not set, that of the spec or board applies. */
const thresholds = [
  'validation_threshold',
  'validation_min_confidence',
  'validation_min_completeness',
  'validation_max_drift',
] as const

const inherited = ['yes', 'no'] as const

interface GateRulesProps {
  readonly record: Spec | Sprint
  readonly onChange: Change
}

const isSpec = (record: Spec | Sprint): record is Spec => 'skip_trs_coverage' in record

/** The gate rules of a spec or sprint that differ from those of the board. */
export function GateRules({ record, onChange }: GateRulesProps) {
  const changing = useMutation({ mutationFn: onChange, scope: { id: useId() } })
  // Shows the chosen value while it is saved.
  const values: Readonly<Record<string, unknown>> = { ...record, ...(changing.isPending && changing.variables) }
  const visibleFlags = flags.filter(
    flag => isSpec(record) || flag === 'skip_test_coverage' || flag === 'skip_qualitative_validation',
  )
  const { require_task_validation: isRequired } = record
  const needs = changingField(isSpec(record) ? 'spec' : 'sprint', record.status, 'gate_rules')
  return (
    <details className="gate-rules">
      <summary className="section-title">{texts.title}</summary>
      <div className="stack">
        {visibleFlags.map(flag => (
          <label key={flag} className="row">
            <Input
              needs={needs}
              type="checkbox"
              checked={values[flag] === true}
              onChange={event => changing.mutate({ [flag]: event.target.checked })}
            />
            {texts.flags[flag]}
          </label>
        ))}
        {thresholds.map(name => (
          <Threshold key={name} name={name} value={values[name]} needs={needs} onChange={changing.mutate} />
        ))}
        <Choice
          label={texts.require_task_validation}
          none={texts.inherit}
          needs={needs}
          value={isRequired === null ? '' : isRequired ? 'yes' : 'no'}
          options={inherited.map(value => ({ value, label: texts[value] }))}
          onChange={value => changing.mutate({ require_task_validation: value === '' ? null : value === 'yes' })}
        />
        <Failure error={changing.error} />
      </div>
    </details>
  )
}

interface ThresholdProps {
  readonly name: (typeof thresholds)[number]
  readonly value: unknown
  readonly needs: Needs
  readonly onChange: (fields: Readonly<Record<string, unknown>>) => void
}

/** A number that is saved when the field loses focus. */
const Threshold = ({ name, value, needs, onChange }: ThresholdProps) => (
  <InputField
    label={texts.thresholds[name]}
    key={String(value)}
    needs={needs}
    className="input numbers"
    type="number"
    min={0}
    max={100}
    placeholder={texts.inherit}
    defaultValue={typeof value === 'number' ? value : ''}
    onBlur={event => {
      const next = event.target.value === '' ? null : Number(event.target.value)
      if (next !== (value ?? null)) onChange({ [name]: next })
    }}
  />
)
