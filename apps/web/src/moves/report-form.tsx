import { type FormEvent, useState } from 'react'
import { InputField, TextField } from '../components/field.tsx'
import { Failure } from '../components/refusal.tsx'
import { messages } from '../messages/messages.ts'

/** What somebody reports who says that a card's work is done (cards 2.2). */
export interface Report {
  readonly conclusion?: string
  readonly completeness?: number
  readonly completeness_justification?: string
  readonly drift?: number
  readonly drift_justification?: string
}

interface ReportFormProps {
  /** The fields that the move asks for. */
  readonly asks: readonly string[]
  readonly onSubmit: (report: Report) => Promise<void>
}

const texts = messages.card

/** Takes the report that a move asks for; it stays as it is when the move is refused. */
export function ReportForm({ asks, onSubmit }: ReportFormProps) {
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const wants = (field: string) => asks.includes(field)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const text = (name: string) => (wants(name) ? { [name]: String(fields.get(name)) } : {})
    const number = (name: string) => (wants(name) ? { [name]: Number(fields.get(name)) } : {})
    setBusy(true)
    try {
      await onSubmit({
        ...text('conclusion'),
        ...number('completeness'),
        ...text('completeness_justification'),
        ...number('drift'),
        ...text('drift_justification'),
      })
    } catch (refused) {
      setError(refused)
      setBusy(false)
    }
  }
  return (
    <form className="stack" onSubmit={event => void submit(event)}>
      {wants('conclusion') && <TextField label={texts.conclusion} name="conclusion" required rows={4} />}
      {wants('completeness') && <Score name="completeness" label={texts.completenessField} initial={100} />}
      {wants('completeness_justification') && <Why name="completeness_justification" />}
      {wants('drift') && <Score name="drift" label={texts.driftField} initial={0} />}
      {wants('drift_justification') && <Why name="drift_justification" />}
      <Failure error={error} />
      <div className="row">
        <button type="submit" className="button primary" disabled={isBusy}>
          {texts.submitReport}
        </button>
      </div>
    </form>
  )
}

const Score = ({
  name,
  label,
  initial,
}: {
  readonly name: string
  readonly label: string
  readonly initial: number
}) => (
  <InputField
    label={label}
    className="input numbers"
    name={name}
    type="number"
    min={0}
    max={100}
    required
    defaultValue={initial}
  />
)

const Why = ({ name }: { readonly name: string }) => (
  <TextField label={texts.justification} name={name} required rows={2} />
)
