import { useMutation } from '@tanstack/react-query'
import { InputField, TextField } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { Submit } from '../components/submit.tsx'
import { messages } from '../messages/messages.ts'

/** A report that a card's work is done (cards 2.2). */
export interface Report {
  readonly conclusion?: string
  readonly completeness?: number
  readonly completeness_justification?: string
  readonly drift?: number
  readonly drift_justification?: string
  readonly check?: string
}

interface ReportFormProps {
  /** The key under which the draft is kept until it is sent. */
  readonly draft: string
  /** The fields that the move asks for. */
  readonly asks: readonly string[]
  readonly onSubmit: (report: Report) => Promise<void>
}

const texts = messages.card

/** The report in a form's fields; if the form has several reports, the one with this prefix. */
export function reportIn(fields: FormData, asks: readonly string[], prefix = ''): Report {
  const fieldValue = (name: string) => String(fields.get(prefix + name))
  const text = (name: string) => (asks.includes(name) ? { [name]: fieldValue(name) } : {})
  const number = (name: string) => (asks.includes(name) ? { [name]: Number(fieldValue(name)) } : {})
  return {
    ...text('conclusion'),
    ...number('completeness'),
    ...text('completeness_justification'),
    ...number('drift'),
    ...text('drift_justification'),
    ...text('check'),
  }
}

/** A form for the report that a move asks for; it keeps its values when the move is refused. */
export function ReportForm({ draft, asks, onSubmit }: ReportFormProps) {
  const sending = useMutation({ mutationFn: onSubmit })
  return (
    <Form draft={draft} onSend={fields => sending.mutateAsync(reportIn(fields, asks))}>
      <ReportFields asks={asks} />
      <Submit sending={sending}>{texts.submitReport}</Submit>
    </Form>
  )
}

interface ReportFieldsProps extends Pick<ReportFormProps, 'asks'> {
  /** The prefix of its field names, where a form has several reports. */
  readonly prefix?: string
}

/** The fields of a report that a move asks for. */
export function ReportFields({ asks, prefix = '' }: ReportFieldsProps) {
  const wants = (field: string) => asks.includes(field)
  return (
    <>
      {wants('conclusion') && <TextField label={texts.conclusion} name={`${prefix}conclusion`} required rows={4} />}
      {wants('check') && <TextField label={texts.check} name={`${prefix}check`} required rows={2} />}
      {wants('completeness') && <Score name={`${prefix}completeness`} label={texts.completenessField} initial={100} />}
      {wants('completeness_justification') && <Why name={`${prefix}completeness_justification`} />}
      {wants('drift') && <Score name={`${prefix}drift`} label={texts.driftField} initial={0} />}
      {wants('drift_justification') && <Why name={`${prefix}drift_justification`} />}
    </>
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
