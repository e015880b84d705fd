import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { InputField, TextField } from '../../components/field.tsx'
import { Failure } from '../../components/refusal.tsx'
import { type Card, refreshCard, refreshCards } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.card

/** The scores of a scored verdict, and the field that says why. */
const scores = [
  ['confidence', 'confidence_justification', texts.confidenceField, 90],
  ['estimated_completeness', 'completeness_justification', texts.completenessField, 100],
  ['estimated_drift', 'drift_justification', texts.driftField, 0],
] as const

interface ValidateDialogProps {
  readonly card: Pick<Card, 'id' | 'ref' | 'board_id'>
  readonly onClose: () => void
}

/** Takes a verdict on a card: plain, or with scores that the thresholds judge. */
export function ValidateDialog({ card, onClose }: ValidateDialogProps) {
  const queries = useQueryClient()
  const [isScored, setScored] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const submitter = (event.nativeEvent as SubmitEvent).submitter
    const isApproved = submitter instanceof HTMLButtonElement && submitter.value === 'approve'
    const fields = new FormData(event.currentTarget)
    const summary = String(fields.get('summary'))
    const scored = scores.flatMap(([score, why]) => [
      [score, Number(fields.get(score))],
      [why, String(fields.get(why))],
    ])
    const verdict = isScored
      ? { recommendation: isApproved ? 'approve' : 'reject', ...Object.fromEntries(scored) }
      : { outcome: isApproved ? 'success' : 'failed' }
    try {
      await client.submitTaskValidation({
        card_id: card.id,
        summary,
        auto_move: isApproved && fields.get('auto_move') !== null,
        ...verdict,
      })
      onClose()
      await refreshCard(queries, card)
      await refreshCards(queries, card.board_id, new Set([card.id]))
    } catch (refused) {
      setError(refused)
    }
  }
  return (
    <Dialog title={texts.validateTitle(card.ref)} onClose={onClose}>
      <form className="stack scrolls" onSubmit={event => void submit(event)}>
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
                <input className="input" name={why} required />
              </label>
            </div>
          ))}
        <label className="row">
          <input type="checkbox" name="auto_move" defaultChecked />
          {texts.autoMove}
        </label>
        <Failure error={error} />
        <div className="row">
          <button type="submit" className="button primary" value="approve">
            {texts.approve}
          </button>
          <button type="submit" className="button" value="reject">
            {texts.reject}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
