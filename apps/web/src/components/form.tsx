import { type FormEvent, type FormHTMLAttributes, useRef, useState } from 'react'
import { type FieldValues, isFormDraft, useDraftPlace } from '../data/drafts.ts'
import { messages } from '../messages/messages.ts'
import { DraftedFields } from './drafted.ts'

interface FormProps extends Omit<FormHTMLAttributes<HTMLFormElement>, 'onSubmit' | 'onInput'> {
  /** The record and the field, or what is made and where: the name of what is typed until it is sent. */
  readonly draft: string
  /** What an edit began from, so that it goes on from there. */
  readonly from?: object
  /**
   * Sends what the fields say, with the button that was pressed among them; what was refused is said by who sends it.
   * Answers false where it was not sent after all.
   */
  readonly onSend: (fields: FormData) => Promise<unknown>
  /** Told when what was typed is thrown away. */
  readonly onDiscard?: () => void
}

/**
 * A form in which nothing typed is lost: what its named fields say is kept in this browser until it is sent or thrown
 * away by choice. Fields begin with what was kept of them.
 */
export function Form({ draft, from, onSend, onDiscard, className = 'stack', children, ...form }: FormProps) {
  const place = useDraftPlace(draft)
  const [round, setRound] = useState(0)
  return (
    <KeptForm
      // Thrown away, or of another record: its fields begin anew.
      key={`${draft} ${round}`}
      {...form}
      className={className}
      place={place}
      from={from}
      onSend={onSend}
      onDiscard={() => {
        place.forget()
        onDiscard?.()
        setRound(round + 1)
      }}
    >
      {children}
    </KeptForm>
  )
}

interface KeptFormProps extends Omit<FormProps, 'draft' | 'from'> {
  readonly place: ReturnType<typeof useDraftPlace>
  readonly from: object | undefined
  readonly onDiscard: () => void
}

function KeptForm({ place, from, onSend, onDiscard, children, ...form }: KeptFormProps) {
  const [kept] = useState(() => {
    const found = place.read()
    return isFormDraft(found) ? found : undefined
  })
  const [isRestored, setRestored] = useState(kept !== undefined)
  const typed = useRef(kept?.fields ?? {})
  const keep = (event: FormEvent<HTMLFormElement>) => {
    // Fields that are not shown now keep what was typed in them.
    typed.current = { ...typed.current, ...valuesIn(event.currentTarget) }
    place.keep({ fields: typed.current, ...(from !== undefined && { from }) })
  }
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const button = event.nativeEvent instanceof SubmitEvent ? event.nativeEvent.submitter : null
    const isSent = await onSend(new FormData(event.currentTarget, button)).catch(() => false)
    if (isSent === false) return
    place.forget()
    setRestored(false)
  }
  return (
    <form {...form} onInput={keep} onSubmit={event => void send(event)}>
      {isRestored && <Restored onDiscard={onDiscard} />}
      <DraftedFields value={kept?.fields ?? {}}>{children}</DraftedFields>
    </form>
  )
}

const Restored = ({ onDiscard }: Pick<KeptFormProps, 'onDiscard'>) => (
  <p className="row wrap muted">
    <span className="grow">{messages.shell.draft.restored}</span>
    <button type="button" className="button quiet" onClick={onDiscard}>
      {messages.shell.draft.discard}
    </button>
  </p>
)

/** What the fields of a form say; nothing secret, and no files. */
function valuesIn(form: HTMLFormElement): FieldValues {
  const values: Record<string, string[]> = {}
  for (const field of form.elements) {
    if (!isKept(field)) continue
    values[field.name] ??= []
    if (!isBox(field) || field.checked) values[field.name]!.push(field.value)
  }
  return values
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const isKept = (field: Element): field is Field =>
  (field instanceof HTMLInputElement && !/^(?:password|file|hidden|submit)$/.test(field.type) && field.name !== '') ||
  ((field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement) && field.name !== '')

const isBox = (field: Field): field is HTMLInputElement => /^(?:checkbox|radio)$/.test(field.type)
