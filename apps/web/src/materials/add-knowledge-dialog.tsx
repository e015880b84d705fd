import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Dialog } from '../components/dialog.tsx'
import { InputField, TextField } from '../components/field.tsx'
import { Submit } from '../components/submit.tsx'
import { messages } from '../messages/messages.ts'
import type { WrittenKnowledge } from './knowledge-calls.ts'

const texts = messages.card

interface AddKnowledgeDialogProps {
  readonly onSubmit: (written: WrittenKnowledge) => Promise<unknown>
  readonly onClose: () => void
}

/** Adds a piece of knowledge to a record. */
export function AddKnowledgeDialog({ onSubmit, onClose }: AddKnowledgeDialogProps) {
  const adding = useMutation({ mutationFn: onSubmit, onSuccess: onClose })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    adding.mutate({ title: String(fields.get('title')).trim(), content: String(fields.get('content')) })
  }
  return (
    <Dialog title={texts.addKnowledge} onClose={onClose}>
      <form className="stack scrolls" onSubmit={submit}>
        <InputField label={texts.title} name="title" required maxLength={500} />
        <TextField label={texts.knowledgeContent} name="content" required rows={8} />
        <Submit sending={adding}>{messages.planning.addItem}</Submit>
      </form>
    </Dialog>
  )
}
