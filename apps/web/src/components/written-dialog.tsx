import { messages } from '../messages/messages.ts'
import { EditedForm } from './edited-form.tsx'
import { InputField, TextField } from './field.tsx'
import { ReadDialog } from './read-dialog.tsx'

/** A text with a title. */
export interface TitledText {
  readonly title: string
  readonly content: string
}

/** The same as it was read, with its ETag. */
export interface ReadWritten extends TitledText {
  readonly tag: string
}

interface FormProps {
  /** The key under which the draft is kept until it is sent. */
  readonly draft: string
  /** The label of the text field. */
  readonly contentLabel: string
  /** The label of the button. */
  readonly submit: string
  /** Reads what is edited; undefined for a new text. */
  readonly read?: () => Promise<ReadWritten>
  /** Writes the text; conditional on the ETag, if an existing one is edited. */
  readonly write: (text: TitledText, ifMatch: string) => Promise<unknown>
  readonly onClose: () => void
}

interface WrittenDialogProps extends FormProps {
  readonly title: string
}

const empty: ReadWritten = { title: '', content: '', tag: '' }

/** Creates or edits a text with a title. A change by somebody else is shown next to one's own; nothing is lost. */
export const WrittenDialog = ({ title, ...form }: WrittenDialogProps) => (
  <ReadDialog title={title} read={form.read ?? (() => empty)} onClose={form.onClose}>
    {from => <WrittenForm {...form} from={from} />}
  </ReadDialog>
)

function WrittenForm({
  draft,
  contentLabel,
  submit,
  read,
  write,
  onClose,
  from,
}: FormProps & { readonly from: ReadWritten }) {
  return (
    <EditedForm
      draft={draft}
      from={from}
      read={read ?? (() => empty)}
      write={write}
      writtenIn={fields => ({ title: String(fields.get('title')).trim(), content: String(fields.get('content')) })}
      wordsFor={wordsFor}
      isSame={(now, before) => now.title === before.title && now.content === before.content}
      submit={submit}
      onClose={onClose}
    >
      <InputField label={messages.card.title} name="title" required maxLength={500} defaultValue={from.title} />
      <TextField label={contentLabel} name="content" required rows={8} defaultValue={from.content} />
    </EditedForm>
  )
}

const wordsFor = ({ title, content }: TitledText): string => `${title}\n\n${content}`
