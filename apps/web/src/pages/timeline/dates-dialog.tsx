import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { DateField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Submit } from '../../components/submit.tsx'
import { messages } from '../../messages/messages.ts'
import type { DatedRow } from './date-change.ts'
import { dateOf, dayOfDate } from './days.ts'
import type { Span } from './plan.ts'

const texts = messages.timeline

interface DatesDialogProps {
  readonly of: DatedRow
  readonly onSend: (span: Span) => Promise<unknown>
  readonly onClose: () => void
}

const dateText = (day: number | null): string => (day === null ? '' : dateOf(day))

/** The dates of a sprint, or the due date of a card. */
export function DatesDialog({ of, onSend, onClose }: DatesDialogProps) {
  const [first, setFirst] = useState(dateText(of.span.start))
  const sending = useMutation({ mutationFn: onSend, onSuccess: onClose })
  const send = async (fields: FormData) => {
    const dayIn = (name: string): number | null => {
      const date = String(fields.get(name) ?? '')
      return date === '' ? null : dayOfDate(date)
    }
    return sending.mutateAsync({ start: dayIn('start'), end: dayIn('end') })
  }
  return (
    <Dialog title={texts.changeDates(of.ref)} onClose={onClose}>
      <Form draft={`dates ${of.id}`} onSend={send}>
        {of.kind === 'sprint' && (
          <DateField label={texts.starts} name="start" defaultValue={first} onChange={setFirst} />
        )}
        <DateField
          label={of.kind === 'sprint' ? texts.ends : texts.due}
          name="end"
          min={first === '' ? undefined : first}
          defaultValue={dateText(of.span.end)}
        />
        <Submit sending={sending}>{messages.shell.save}</Submit>
      </Form>
    </Dialog>
  )
}
