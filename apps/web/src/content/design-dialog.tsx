import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { addressOfDesign } from '../address.ts'
import { Dialog } from '../components/dialog.tsx'
import { InputField, TextField } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { Submit } from '../components/submit.tsx'
import { messages } from '../messages/messages.ts'
import type { DesignCalls } from './design-calls.ts'

const texts = messages.architecture.editing

interface DesignDialogProps {
  readonly boardKey: string
  readonly calls: DesignCalls
  readonly onClose: () => void
}

/** Makes a design of a record, and leads to its page, where its diagrams are drawn. */
export default function DesignDialog({ boardKey, calls, onClose }: DesignDialogProps) {
  const [, navigate] = useLocation()
  const making = useMutation({
    mutationFn: (fields: FormData) =>
      calls.add({ title: String(fields.get('title')), global_description: String(fields.get('description')) }),
    onSuccess: ({ id }) => navigate(addressOfDesign(boardKey, id)),
  })
  return (
    <Dialog title={texts.addDesign} onClose={onClose}>
      <Form draft={`design:${calls.of}`} onSend={making.mutateAsync}>
        <InputField label={texts.designTitle} name="title" required maxLength={500} />
        <TextField label={texts.description} name="description" required rows={4} />
        <Submit sending={making}>{texts.addIt}</Submit>
      </Form>
    </Dialog>
  )
}
