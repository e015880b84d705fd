import { type FormEvent, useState } from 'react'
import { writeOn } from '../data/write-on.ts'
import { messages } from '../messages/messages.ts'
import { Button } from './button.tsx'
import type { Guards } from './guarded.tsx'
import { Icon } from './icon.tsx'
import { Markdown } from './markdown.tsx'
import { Failure } from './refusal.tsx'

/** A text as it was read, with the tag of its record. */
export interface ReadText {
  readonly text: string
  readonly tag: string
}

interface EditedTextProps extends ReadText, Guards {
  readonly label: string
  /** The level of a title; other texts are Markdown. */
  readonly as?: 'h1' | 'h3'
  /** Whether an edit may not leave it empty; a title may not. */
  readonly isRequired?: boolean
  /** Reads the text again, and shows its record wherever it stands. `from` is what the edit began from. */
  readonly read: (from: string) => Promise<ReadText>
  /** Writes the text on the state that the tag names. */
  readonly write: (text: string, ifMatch: string, from: string) => Promise<unknown>
}

/** What somebody is editing: the text, what it began from, and what it says now if somebody else changed it. */
interface Draft {
  readonly text: string
  readonly from: string
  readonly tag: string
  readonly theirs?: string
}

const texts = messages.card

/** A text that is edited in place. A change of somebody else is shown beside one's own; nothing is lost. */
export function EditedText({
  text: shown,
  tag,
  label,
  as,
  isRequired = false,
  read,
  write,
  ...guards
}: EditedTextProps) {
  const [draft, setDraft] = useState<Draft>()
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)

  async function save({ text, from, tag: began }: Draft): Promise<void> {
    const theirs = await writeOn(
      { text: from, tag: began },
      {
        write: ({ tag: ifMatch }) => write(text, ifMatch, from),
        read: () => read(from),
        isSame: now => now.text === from,
      },
    )
    if (theirs !== undefined) return setDraft({ text, from: theirs.text, tag: theirs.tag, theirs: theirs.text })
    await read(text)
    setDraft(undefined)
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (draft === undefined) return
    setBusy(true)
    setError(null)
    await save(draft).catch(setError)
    setBusy(false)
  }

  if (draft === undefined)
    return (
      <div className={as === undefined ? 'edited' : 'edited title'}>
        <Shown as={as} text={shown} />
        <Button
          {...guards}
          className="button quiet edit-button"
          aria-label={`${texts.edit}: ${label}`}
          onClick={() => setDraft({ text: shown, from: shown, tag })}
        >
          {texts.edit}
        </Button>
      </div>
    )
  return (
    <form className="stack" onSubmit={event => void submit(event)}>
      {draft.theirs !== undefined && <Conflict theirs={draft.theirs} />}
      <textarea
        className="input"
        aria-label={draft.theirs === undefined ? label : texts.yours}
        // biome-ignore lint/a11y/noAutofocus: it opens because somebody wants to write here
        autoFocus
        rows={as === undefined ? 6 : 1}
        required={isRequired || as !== undefined}
        value={draft.text}
        onChange={event => setDraft({ ...draft, text: event.target.value })}
        onKeyDown={event => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
        }}
      />
      <Failure error={error} />
      <div className="row">
        <button type="submit" className="button primary" disabled={isBusy}>
          {texts.save}
        </button>
        <button type="button" className="button quiet" onClick={() => setDraft(undefined)}>
          {texts.cancel}
        </button>
      </div>
    </form>
  )
}

function Shown({ as: Heading, text }: { readonly as: 'h1' | 'h3' | undefined; readonly text: string }) {
  if (Heading !== undefined) return <Heading className="card-title grow">{text}</Heading>
  return (
    <div className="grow">
      {text === '' ? <p className="muted">{texts.noDescription}</p> : <Markdown text={text} />}
    </div>
  )
}

/** What somebody else made of a text meanwhile. */
export const Conflict = ({ theirs }: { readonly theirs: string }) => (
  <div className="refusal stack" role="alert">
    <p>
      <Icon name="flag" /> <strong>{texts.conflict}</strong>. {texts.conflictLead}
    </p>
    <p className="muted">{texts.theirs}</p>
    <pre className="theirs">{theirs}</pre>
  </div>
)
