import { useMutation, useQueryClient } from '@tanstack/react-query'
import { InputField, TextField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { useSettling } from '../../components/hold.ts'
import { TextArea } from '../../components/input.tsx'
import { Judging } from '../../components/judging.tsx'
import { Failure } from '../../components/refusal.tsx'
import { toast } from '../../components/toast.tsx'
import { useBoards } from '../../data/boards.ts'
import { type PlanKind, type PlanRecord, refreshPlan, usePlan } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import { JudgedPlan } from './judged-plan.tsx'
import { type VerdictOperation, verdictForms, verdictIn } from './verdict-forms.ts'
import './planning.css'

const texts = messages.verdicts

interface VerdictDialogProps {
  /** The inbox item that it settles. */
  readonly item?: string
  readonly kind: PlanKind
  readonly record: Pick<PlanRecord, 'id'>
  readonly operation: VerdictOperation
  readonly onClose: () => void
}

/** A verdict on a record: its scores, their reasons, and a recommendation. */
export default function VerdictDialog({ item, kind, record, operation, onClose }: VerdictDialogProps) {
  const queries = useQueryClient()
  const form = verdictForms[operation]
  const draft = `${operation}:${record.id}`
  const { settle, isHeld } = useSettling(item)
  const onAnswer = async (answer: unknown) => {
    const failure = failureIn(answer)
    if (failure !== undefined) toast(failure)
    else if (!isHeld) toast(isRejected(answer) ? texts.rejected : texts.saved)
    await refreshPlan(queries, kind, record.id)
  }
  const giving = useMutation({
    mutationFn: (fields: FormData) =>
      settle({ operation, arguments: verdictIn(operation, record.id, fields), place: draft }, texts.given, onAnswer),
    onSuccess: onClose,
  })
  return (
    <Judging title={texts.titles[operation]} about={<JudgedPlan kind={kind} id={record.id} />} onClose={onClose}>
      <Form draft={draft} className="stack" onSend={giving.mutateAsync}>
        <p className="muted">{texts.leads[operation]}</p>
        {operation === 'submit_spec_validation' && <SpecThresholds specId={record.id} />}
        {form.scores.map(({ name, label, why, initial }) => (
          <div key={name} className="verdict-score">
            <InputField
              label={label}
              className="input numbers"
              type="number"
              name={name}
              min={form.min}
              max={form.max}
              defaultValue={initial}
              required
            />
            <TextArea
              className="input plan-short"
              name={why}
              rows={1}
              aria-label={texts.whyOf(label)}
              placeholder={messages.card.justification}
              required={form.reasonLength > 0}
              minLength={form.reasonLength}
            />
          </div>
        ))}
        {form.overall !== undefined && (
          <TextField label={texts.overall} name={form.overall.name} rows={3} required minLength={form.overall.length} />
        )}
        <Failure error={giving.error} />
        <div className="row wrap">
          {form.recommendations.length === 0 && (
            <button type="submit" className="button primary" disabled={giving.isPending}>
              {texts.submit}
            </button>
          )}
          {form.recommendations.map(recommendation => (
            <button
              key={recommendation}
              type="submit"
              className={recommendation === 'approve' ? 'button primary' : 'button'}
              name="recommendation"
              value={recommendation}
              disabled={giving.isPending}
            >
              {texts.recommend[recommendation]}
            </button>
          ))}
        </div>
      </Form>
    </Judging>
  )
}

interface Outcome {
  readonly outcome?: string
  readonly threshold_violations?: readonly string[]
}

const isRejected = (answer: unknown): boolean => (answer as Outcome).outcome === 'failed'

/** Why a validation failed although it was approved; undefined if it did not fail for such a reason. */
function failureIn(answer: unknown): string | undefined {
  const { threshold_violations: violations = [] } = answer as Outcome
  return isRejected(answer) && violations.length > 0 ? texts.failed(violations.join(', ')) : undefined
}

/** The minimum scores of a validation (specs 7). */
function SpecThresholds({ specId }: { readonly specId: string }) {
  const { data } = usePlan('spec', specId)
  const { data: boards } = useBoards()
  const settings = boards?.find(({ id }) => id === data?.record.board_id)?.settings
  if (settings === undefined) return null
  const { min_spec_completeness, min_spec_assertiveness, max_spec_ambiguity } = settings
  return <p className="muted">{texts.thresholds(min_spec_completeness, min_spec_assertiveness, max_spec_ambiguity)}</p>
}
