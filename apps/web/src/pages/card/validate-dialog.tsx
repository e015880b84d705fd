import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { InputField, TextField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { useSettling } from '../../components/hold.ts'
import { Input } from '../../components/input.tsx'
import { Judging } from '../../components/judging.tsx'
import { Failure } from '../../components/refusal.tsx'
import { type Card, refreshCard, refreshCards } from '../../data/cards.ts'
import { useKeptField } from '../../data/drafts.ts'
import { messages } from '../../messages/messages.ts'
import { JudgedCard } from './judged-card.tsx'
import { useThresholds } from './thresholds.ts'

const texts = messages.card

/** The scores of a scored verdict, with the field for each reason. */
const scores = [
  ['confidence', 'confidence_justification', texts.confidenceField, 90],
  ['estimated_completeness', 'completeness_justification', texts.completenessField, 100],
  ['estimated_drift', 'drift_justification', texts.driftField, 0],
] as const

interface ValidateDialogProps {
  /** The inbox item that it settles. */
  readonly item?: string
  readonly card: Pick<Card, 'id' | 'ref' | 'board_id'>
  readonly onClose: () => void
}

/** A verdict on a card in a dialog, next to what it evaluates. */
export const ValidateDialog = ({ card, item, onClose }: ValidateDialogProps) => (
  <Judging title={texts.validateTitle(card.ref)} about={<JudgedCard cardId={card.id} />} onClose={onClose}>
    <ValidateForm card={card} item={item} onDone={onClose} />
  </Judging>
)

interface ValidateFormProps {
  /** The inbox item that it settles. */
  readonly item?: string | undefined
  readonly card: Pick<Card, 'id' | 'ref' | 'board_id'>
  readonly onDone: () => void
}

/** A verdict on a card: plain, or with scores that are compared with the thresholds. */
export function ValidateForm({ card, item, onDone }: ValidateFormProps) {
  const queries = useQueryClient()
  const thresholds = useThresholds(card.id, card.board_id)
  const draft = `validation:${card.id}`
  const [isScored, setScored] = useState(useKeptField(draft, 'confidence') !== undefined)
  const { settle } = useSettling(item)
  const validate = async (fields: FormData) => {
    const isApproved = fields.get('verdict') === 'approve'
    const summary = String(fields.get('summary'))
    const scored = scores.flatMap(([score, why]) => [
      [score, Number(fields.get(score))],
      [why, String(fields.get(why))],
    ])
    const verdict = isScored
      ? { recommendation: isApproved ? 'approve' : 'reject', ...Object.fromEntries(scored) }
      : { outcome: isApproved ? 'success' : 'failed' }
    const call = {
      operation: 'submit_task_validation',
      arguments: {
        card_id: card.id,
        summary,
        auto_move: isApproved && fields.get('auto_move') !== null,
        ...verdict,
      },
      place: draft,
    }
    await settle(call, isApproved ? texts.approvedNow(card.ref) : texts.rejectedNow(card.ref), () => {
      void refreshCard(queries, card)
      void refreshCards(queries, card.board_id, new Set([card.id]))
    })
    onDone()
  }
  const validating = useMutation({ mutationFn: validate })
  return (
    <Form draft={draft} className="stack" onSend={validating.mutateAsync}>
      <p className="muted">{texts.mustSay}</p>
      <div className="row">
        {[false, true].map(scored => (
          <button
            key={String(scored)}
            type="button"
            className="button"
            aria-pressed={isScored === scored}
            onClick={() => setScored(scored)}
          >
            {scored ? texts.scored : texts.plain}
          </button>
        ))}
      </div>
      <TextField label={texts.summary} name="summary" required rows={4} />
      {isScored &&
        scores.map(([score, why, label, initial]) => (
          <div key={score} className="row score">
            <InputField
              label={label}
              className="input numbers"
              type="number"
              name={score}
              min={0}
              max={100}
              defaultValue={initial}
              required
            />
            <label className="field grow">
              <span>{texts.justification}</span>
              <Input className="input" name={why} required />
            </label>
          </div>
        ))}
      {isScored && thresholds !== undefined && (
        <p className="muted">{texts.thresholds(thresholds.confidence, thresholds.completeness, thresholds.drift)}</p>
      )}
      <label className="row">
        <Input type="checkbox" name="auto_move" defaultChecked />
        {texts.autoMove}
      </label>
      <Failure error={validating.error} />
      <div className="row">
        <button type="submit" className="button primary" name="verdict" value="approve" disabled={validating.isPending}>
          {texts.approve}
        </button>
        <button type="submit" className="button" name="verdict" value="reject" disabled={validating.isPending}>
          {texts.reject}
        </button>
      </div>
    </Form>
  )
}
