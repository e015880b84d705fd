import { useMutation } from '@tanstack/react-query'
import { Choice } from '../components/choice.tsx'
import { Dialog } from '../components/dialog.tsx'
import { TextField } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { Input } from '../components/input.tsx'
import { Submit } from '../components/submit.tsx'
import { messages } from '../messages/messages.ts'
import { choicesIn } from './choices.ts'

const texts = messages.card.choice

/** Whether one or several choices may be selected. */
const types = ['choice', 'multi_choice'] as const

/** A choice as it is sent. */
export interface PutChoice {
  readonly type: (typeof types)[number]
  readonly text: string
  readonly choices: { id: string; label: string }[]
  readonly allow_free_text: boolean
}

interface PutChoiceDialogProps {
  /** The key under which the draft is kept until it is sent. */
  readonly draft: string
  /** The label of the question field. */
  readonly label: string
  readonly onSubmit: (choice: PutChoice) => Promise<unknown>
  readonly onClose: () => void
}

/** Asks others to choose: the question, its choices, and whether a free text is allowed. */
export function PutChoiceDialog({ draft, label, onSubmit, onClose }: PutChoiceDialogProps) {
  const sending = useMutation({ mutationFn: onSubmit, onSuccess: onClose })
  const send = (fields: FormData) =>
    sending.mutateAsync({
      type: fields.get('type') === 'multi_choice' ? 'multi_choice' : 'choice',
      text: String(fields.get('text')),
      choices: choicesIn(String(fields.get('choices'))),
      allow_free_text: fields.has('allow_free_text'),
    })
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <Form draft={draft} className="stack scrolls" onSend={send}>
        <TextField label={label} name="text" rows={2} required />
        <TextField label={texts.choices} name="choices" rows={4} required />
        <Choice label={texts.type} name="type" options={types.map(value => ({ value, label: texts.types[value] }))} />
        <label className="row">
          <Input type="checkbox" name="allow_free_text" /> {texts.allowsText}
        </label>
        <Submit sending={sending}>{texts.submit}</Submit>
      </Form>
    </Dialog>
  )
}
