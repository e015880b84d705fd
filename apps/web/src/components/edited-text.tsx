import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { hasTexts, useDraft } from '../data/drafts.ts'
import { useClosure } from '../data/rights.ts'
import { writeOn } from '../data/write-on.ts'
import { messages } from '../messages/messages.ts'
import { Button } from './button.tsx'
import { type Guards, noNeeds } from './guarded.tsx'
import { Icon } from './icon.tsx'
import { Linked } from './linked.tsx'
import { Markdown } from './markdown.tsx'
import type { Box } from './markdown-html.ts'
import type { MarkdownProps } from './markdown-props.ts'
import { part } from './part.tsx'
import { Failure } from './refusal.tsx'
import { sendByKey } from './send-key.ts'
import { toast } from './toast.tsx'
import type { Attach } from './writing/attached-files.ts'

const MarkdownArea = part(async () => ({ default: (await import('./writing/markdown-area.tsx')).MarkdownArea }))

/** A text as it was read, with the ETag of its record. */
export interface ReadText {
  readonly text: string
  readonly tag: string
}

interface EditedTextProps extends ReadText, Guards {
  /** The record and the field: the key under which the draft is kept until it is sent. */
  readonly draft: string
  readonly label: string
  /** The level of a title; other texts are Markdown. */
  readonly as?: 'h1' | 'h3'
  /** The board of a longer text, which gets a Markdown editor. */
  readonly boardId?: string
  /** Attaches a file to the record of a longer text; without it, no file can be inserted. */
  readonly attach?: Attach | undefined
  /** Whether it may not be empty, as for a title. */
  readonly isRequired?: boolean
  /** Reads the text again, and updates the record wherever it is shown. `from` is the text that the edit began with. */
  readonly read: (from: string) => Promise<ReadText>
  /** Writes the text, conditional on the ETag. */
  readonly write: (text: string, ifMatch: string, from: string) => Promise<unknown>
}

/** An edit under way: the text, what it began with, and the current text if somebody else changed it. */
interface Draft {
  readonly text: string
  readonly from: string
  readonly tag: string
  readonly theirs?: string
}

const texts = messages.card

const sameBox = (now: Box | undefined, before: Box | undefined): boolean =>
  now !== undefined && now.label === before?.label && now.isTicked === before.isTicked

const isDraft = (draft: unknown): draft is Draft => hasTexts(draft, 'text', 'from', 'tag')

/**
 * A text that is edited in place. A change by somebody else is shown next to one's own, and the draft is kept until it
 * is sent or discarded.
 */
export const EditedText = (edited: EditedTextProps) => <Edited key={edited.draft} {...edited} />

function Edited({
  draft: name,
  text: currentText,
  tag,
  label,
  as,
  boardId,
  attach,
  isRequired = false,
  read,
  write,
  ...guards
}: EditedTextProps) {
  const storedDraft = useDraft(name, isDraft)
  // A text equal to what the edit began with is not a draft.
  const [initial, setInitial] = useState<Draft>()
  const draft = storedDraft.value ?? initial
  const setDraft = (next: Draft) => {
    setInitial(next)
    if (next.text === next.from && next.theirs === undefined) storedDraft.forget()
    else storedDraft.keep(next)
  }
  const end = () => {
    setInitial(undefined)
    storedDraft.forget()
  }
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
    end()
  }

  /** Toggles one box of the text: only its line changes, in the current text. */
  async function turn(place: number): Promise<void> {
    const { boxAt, withBoxTurned } = await import('./task-list.ts')
    const before = boxAt(currentText, place)
    const theirs = await writeOn(
      { text: currentText, tag },
      {
        write: state => write(withBoxTurned(state.text, place) ?? state.text, state.tag, state.text),
        read: () => read(currentText),
        isSame: now => sameBox(boxAt(now.text, place), before),
      },
    )
    await read(currentText)
    if (theirs !== undefined) toast(texts.listChanged)
  }

  const ticking = useMutation({ mutationFn: turn })
  const isClosed = useClosure(guards.needs ?? noNeeds, guards.allowed) !== undefined
  const tick = isClosed ? undefined : ticking.mutateAsync

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
        <Shown as={as} text={currentText} onTick={tick} />
        <Button
          {...guards}
          className="button quiet edit-button"
          aria-label={`${texts.edit}: ${label}`}
          title={texts.edit}
          onClick={() => setInitial({ text: currentText, from: currentText, tag })}
        >
          <Icon name="edit" size={14} />
        </Button>
        <Failure error={ticking.error} />
      </div>
    )
  const setText = (text: string) => setDraft({ ...draft, text })
  const area = {
    className: 'input',
    'aria-label': draft.theirs === undefined ? label : texts.yours,
    // It opens because somebody wants to write here.
    autoFocus: initial !== undefined,
    required: isRequired || as !== undefined,
    value: draft.text,
  }
  return (
    <form className="stack" onSubmit={event => void submit(event)}>
      {draft.theirs !== undefined && <Conflict theirs={draft.theirs} />}
      {boardId === undefined ? (
        <textarea
          {...area}
          rows={as === undefined ? 6 : 1}
          onChange={event => setText(event.target.value)}
          onKeyDown={sendByKey}
        />
      ) : (
        <MarkdownArea {...area} boardId={boardId} rows={6} onText={setText} attach={attach} />
      )}
      <Failure error={error} />
      <div className="row">
        <button type="submit" className="button primary" disabled={isBusy}>
          {texts.save}
        </button>
        <button type="button" className="button quiet" onClick={end}>
          {draft.text === draft.from ? texts.cancel : messages.shell.draft.discard}
        </button>
      </div>
    </form>
  )
}

interface ShownProps extends MarkdownProps {
  readonly as: 'h1' | 'h3' | undefined
}

function Shown({ as: Heading, text, onTick }: ShownProps) {
  if (Heading !== undefined)
    return (
      <Heading className="card-title grow" dir="auto">
        <Linked text={text} />
      </Heading>
    )
  return (
    <div className="grow">
      {text === '' ? <p className="muted">{texts.noDescription}</p> : <Markdown text={text} onTick={onTick} />}
    </div>
  )
}

/** The text as somebody else has changed it in the meantime. */
export const Conflict = ({ theirs }: { readonly theirs: string }) => (
  <div className="refusal stack" role="alert">
    <p>
      <Icon name="flag" /> <strong>{texts.conflict}</strong>. {texts.conflictLead}
    </p>
    <p className="muted">{texts.theirs}</p>
    <pre className="theirs">{theirs}</pre>
  </div>
)
