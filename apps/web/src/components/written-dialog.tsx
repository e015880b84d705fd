import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { writeOn } from '../data/write-on.ts'
import { messages } from '../messages/messages.ts'
import { Dialog } from './dialog.tsx'
import { Conflict } from './edited-text.tsx'
import { InputField, TextField } from './field.tsx'
import { Failure } from './refusal.tsx'
import { Submit } from './submit.tsx'

/** A text with a title, as somebody writes it. */
export interface Written {
  readonly title: string
  readonly content: string
}

/** The same as it was read, with its tag. */
export interface ReadWritten extends Written {
  readonly tag: string
}

interface FormProps {
  /** On the field of the text. */
  readonly contentLabel: string
  /** On the button. */
  readonly submit: string
  /** Reads what is edited; nothing is read for a new text. */
  readonly read?: () => Promise<ReadWritten>
  /** Writes the text; on the state that the tag names, if one is edited. */
  readonly write: (written: Written, ifMatch: string) => Promise<unknown>
  readonly onClose: () => void
}

interface WrittenDialogProps extends FormProps {
  readonly title: string
}

const empty: ReadWritten = { title: '', content: '', tag: '' }

/** Writes a text with a title, or edits one. A change of somebody else is shown beside one's own; nothing is lost. */
export function WrittenDialog({ title, ...form }: WrittenDialogProps) {
  const { read, onClose } = form
  const { data, error } = useQuery({
    queryKey: ['edited', useId()],
    queryFn: read ?? (() => empty),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <Failure error={error} />
      {data !== undefined && <WrittenForm {...form} from={data} />}
    </Dialog>
  )
}

function WrittenForm({ contentLabel, submit, read, write, onClose, from }: FormProps & { readonly from: ReadWritten }) {
  const [base, setBase] = useState(from)
  const saving = useMutation({
    mutationFn: async (written: Written) => {
      const theirs = await writeOn(base, {
        write: ({ tag }) => write(written, tag),
        read: read ?? (async () => empty),
        isSame: ({ title, content }) => title === base.title && content === base.content,
      })
      if (theirs === undefined) onClose()
      else setBase(theirs)
    },
  })
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    saving.mutate({ title: String(fields.get('title')).trim(), content: String(fields.get('content')) })
  }
  return (
    <form className="stack scrolls" onSubmit={send}>
      {base !== from && <Conflict theirs={`${base.title}\n\n${base.content}`} />}
      <InputField label={messages.card.title} name="title" required maxLength={500} defaultValue={from.title} />
      <TextField label={contentLabel} name="content" required rows={8} defaultValue={from.content} />
      <Submit sending={saving}>{submit}</Submit>
    </form>
  )
}
