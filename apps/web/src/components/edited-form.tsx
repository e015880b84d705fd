import type { ReactNode } from 'react'
import { useWriting } from '../data/use-writing.ts'
import { messages } from '../messages/messages.ts'
import { Conflict } from './edited-text.tsx'
import { Form } from './form.tsx'
import { Submit } from './submit.tsx'

interface EditedFormProps<State, Written> {
  /** The key under which the draft is kept until it is sent. */
  readonly draft: string
  /** What is edited, with its ETag. */
  readonly from: State
  readonly read: () => State | Promise<State>
  /** The values in the fields. */
  readonly writtenIn: (fields: FormData) => Written
  /** Writes them, conditional on the ETag. */
  readonly write: (values: Written, ifMatch: string) => Promise<unknown>
  /** What the form shows of a state, as text. */
  readonly wordsFor: (state: State) => string
  /** Whether the form shows two states alike; by default its text is compared. */
  readonly isSame?: (now: State, before: State) => boolean
  /** The label of the button. */
  readonly submit?: string
  /** Called when the fields were saved or discarded: drops what else is kept with the draft. */
  readonly forget?: () => void
  readonly onClose: () => void
  /** The fields. */
  readonly children: ReactNode
}

/** Edits a record in several fields. A change by somebody else is shown next to one's own; nothing is lost. */
export function EditedForm<State extends { readonly tag: string }, Written>({
  draft,
  from,
  read,
  writtenIn,
  write,
  wordsFor,
  isSame = (now, before) => wordsFor(now) === wordsFor(before),
  submit = messages.shell.save,
  forget,
  onClose,
  children,
}: EditedFormProps<State, Written>) {
  const { saving, base, theirs, restart } = useWriting(from, {
    draft,
    write: (values: Written, { tag }) => write(values, tag),
    read,
    isSame,
    onWritten: onClose,
  })
  const send = async (fields: FormData) => {
    const isWritten = await saving.mutateAsync(writtenIn(fields))
    if (isWritten) forget?.()
    return isWritten
  }
  const discard = () => {
    restart()
    forget?.()
  }
  return (
    <Form draft={draft} from={base} className="stack scrolls" onSend={send} onDiscard={discard}>
      {theirs !== undefined && <Conflict theirs={wordsFor(theirs)} />}
      {children}
      <Submit sending={saving}>{submit}</Submit>
    </Form>
  )
}
