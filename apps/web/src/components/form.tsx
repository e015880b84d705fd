import { type FormEvent, type FormHTMLAttributes, type KeyboardEvent, useRef, useState } from 'react'
import { type FieldValues, isFormDraft, useDraftPlace } from '../data/drafts.ts'
import { messages } from '../messages/messages.ts'
import { DraftedFields } from './drafted.ts'
import { isSendKey } from './send-key.ts'

interface FormProps extends Omit<FormHTMLAttributes<HTMLFormElement>, 'onSubmit' | 'onInput'> {
  /** The record and the field, or what is created and where: the key under which the draft is kept until it is sent. */
  readonly draft: string
  /** The values that an edit began with, so that it continues from there. */
  readonly from?: object
  /**
   * Sends the fields, including the button that was pressed; the caller shows refusals. Resolves to false where nothing
   * was sent.
   */
  readonly onSend: (fields: FormData) => Promise<unknown>
  /** Called when the draft is discarded. */
  readonly onDiscard?: () => void
}

/**
 * A form that never loses input: its named fields are kept in this browser until they are sent or deliberately
 * discarded. Fields start with their kept values.
 */
export function Form({ draft, from, onSend, onDiscard, className = 'stack', children, ...form }: FormProps) {
  const place = useDraftPlace(draft)
  const [round, setRound] = useState(0)
  return (
    <KeptForm
      // A discarded draft or another record: the fields start over.
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
  const [stored] = useState(() => {
    const found = place.read()
    return isFormDraft(found) ? found : undefined
  })
  const [isRestored, setRestored] = useState(stored !== undefined)
  const typed = useRef(stored?.fields ?? {})
  const keep = (event: FormEvent<HTMLFormElement>) => {
    // Fields that are not shown now keep their values.
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
  const sendByKey = (event: KeyboardEvent<HTMLFormElement>) => {
    if (!isSendKey(event) || event.target instanceof HTMLButtonElement) return
    event.preventDefault()
    event.currentTarget.requestSubmit()
  }
  return (
    <form {...form} onInput={keep} onKeyDown={sendByKey} onSubmit={event => void send(event)}>
      {isRestored && <Restored onDiscard={onDiscard} />}
      <DraftedFields value={stored?.fields ?? {}}>{children}</DraftedFields>
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

/** The values of a form's fields, without secrets and files. */
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
