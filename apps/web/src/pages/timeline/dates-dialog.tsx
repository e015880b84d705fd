import { useMutation } from '@tanstack/react-query'
import { Dialog } from '../../components/dialog.tsx'
import { InputField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Submit } from '../../components/submit.tsx'
import { messages } from '../../messages/messages.ts'
import type { Dated } from './dating.ts'
import { dateOf, dayOfDate } from './days.ts'
import type { Span } from './plan.ts'

const texts = messages.timeline

interface DatesDialogProps {
  readonly of: Dated
  readonly onSend: (span: Span) => Promise<unknown>
  readonly onClose: () => void
}

/** The dates of a sprint, or the one by which a card is due. */
export function DatesDialog({ of, onSend, onClose }: DatesDialogProps) {
  const sending = useMutation({ mutationFn: onSend, onSuccess: onClose })
  const send = async (fields: FormData) => {
    const dayIn = (name: string): number | null => {
      const date = String(fields.get(name) ?? '')
      return date === '' ? null : dayOfDate(date)
    }
    return sending.mutateAsync({ start: dayIn('start'), end: dayIn('end') })
  }
  const written = (day: number | null): string => (day === null ? '' : dateOf(day))
  return (
    <Dialog title={texts.changeDates(of.ref)} onClose={onClose}>
      <Form draft={`dates ${of.id}`} onSend={send}>
        {of.kind === 'sprint' && (
          <InputField label={texts.starts} type="date" name="start" defaultValue={written(of.span.start)} />
        )}
        <InputField
          label={of.kind === 'sprint' ? texts.ends : texts.due}
          type="date"
          name="end"
          defaultValue={written(of.span.end)}
        />
        <Submit sending={sending}>{messages.shell.save}</Submit>
      </Form>
    </Dialog>
  )
}
