import { ClientError } from '@specboard/client/calls'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Icon } from '../../components/icon.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { Failure } from '../../components/refusal.tsx'
import { type Card, readCard, rememberCard } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { messages } from '../../messages/messages.ts'

type EditedField =
  | 'title'
  | 'description'
  | 'details'
  | 'observed_behavior'
  | 'expected_behavior'
  | 'steps_to_reproduce'
  | 'action_plan'

interface EditedTextProps {
  readonly card: Card
  readonly tag: string
  readonly field: EditedField
  readonly label: string
  /** The level of a title; other texts are Markdown. */
  readonly as?: 'h1' | 'h3'
}

/** What somebody is editing: the text, what it began from, and what it says now if somebody else changed it. */
interface Draft {
  readonly text: string
  readonly from: string
  readonly tag: string
  readonly theirs?: string
}

const texts = messages.card

/** A text of a card that is edited in place. A change of somebody else is shown beside one's own; nothing is lost. */
export function EditedText({ card, tag, field, label, as }: EditedTextProps) {
  const queries = useQueryClient()
  const [draft, setDraft] = useState<Draft>()
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const shown = card[field] ?? ''

  /** Saves on the state that the draft began from; where only other fields changed meanwhile, on the present one. */
  async function save({ text, from, tag: ifMatch }: Draft): Promise<void> {
    try {
      await client.updateCard({ card_id: card.id, [field]: text }, { ifMatch })
    } catch (refused) {
      if (!(refused instanceof ClientError) || refused.status !== 412) throw refused
      const now = await readCard(card.id)
      rememberCard(queries, now)
      const theirs = now.card[field] ?? ''
      if (theirs === from) return save({ text, from, tag: now.tag })
      setDraft({ text, from: theirs, tag: now.tag, theirs })
      throw undefined
    }
    rememberCard(queries, await readCard(card.id))
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
        <button
          type="button"
          className="button quiet edit-button"
          aria-label={`${texts.edit}: ${label}`}
          onClick={() => setDraft({ text: shown, from: shown, tag })}
        >
          {texts.edit}
        </button>
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
        required={as !== undefined}
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

const Conflict = ({ theirs }: { readonly theirs: string }) => (
  <div className="refusal stack" role="alert">
    <p>
      <Icon name="flag" /> <strong>{texts.conflict}</strong>. {texts.conflictLead}
    </p>
    <p className="muted">{texts.theirs}</p>
    <pre className="theirs">{theirs}</pre>
  </div>
)
