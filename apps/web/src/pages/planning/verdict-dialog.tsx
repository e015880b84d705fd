import { useMutation, useQueryClient } from '@tanstack/react-query'
import { InputField, TextField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { TextArea } from '../../components/input.tsx'
import { Judging } from '../../components/judging.tsx'
import { Failure } from '../../components/refusal.tsx'
import { toast } from '../../components/toast.tsx'
import { useBoards } from '../../data/boards.ts'
import { type PlanKind, type PlanRecord, refreshPlan, usePlan } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import { JudgedPlan } from './judged-plan.tsx'
import { giveVerdict, type VerdictOperation, verdictForms } from './verdict-forms.ts'
import './planning.css'

const texts = messages.verdicts

interface VerdictDialogProps {
  readonly kind: PlanKind
  readonly record: Pick<PlanRecord, 'id'>
  readonly operation: VerdictOperation
  readonly onClose: () => void
}

/** A verdict on a record: its scores, their reasons, and a recommendation. */
export default function VerdictDialog({ kind, record, operation, onClose }: VerdictDialogProps) {
  const queries = useQueryClient()
  const form = verdictForms[operation]
  const giving = useMutation({
    mutationFn: async (fields: FormData) => {
      toast(wordsFor(await giveVerdict(operation, record.id, fields)))
      await refreshPlan(queries, kind, record.id)
    },
    onSuccess: onClose,
  })
  return (
    <Judging title={texts.titles[operation]} about={<JudgedPlan kind={kind} id={record.id} />} onClose={onClose}>
      <Form draft={`${operation}:${record.id}`} className="stack" onSend={giving.mutateAsync}>
        <p className="muted">{texts.leads[operation]}</p>
        {operation === 'submit_spec_validation' && <SpecThresholds specId={record.id} />}
        {form.scores.map(({ name, label, why, initial }) => (
          <div key={name} className="verdict-score">
            <InputField
              label={label}
              className="input numbers"
              type="number"
              name={name}
              min={form.least}
              max={form.most}
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

/** The outcome of a verdict: a validation may fail although it was approved. */
function wordsFor(answer: unknown): string {
  const { outcome, threshold_violations: violations } = answer as {
    readonly outcome?: string
    readonly threshold_violations?: readonly string[]
  }
  if (outcome !== 'failed') return texts.saved
  return violations === undefined || violations.length === 0 ? texts.rejected : texts.failed(violations.join(', '))
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
