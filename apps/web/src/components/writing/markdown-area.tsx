import {
  type KeyboardEvent,
  lazy,
  type Ref,
  Suspense,
  type TextareaHTMLAttributes,
  useId,
  useRef,
  useState,
} from 'react'
import type { ClosedControl } from '../guarded.tsx'
import { Markdown } from '../markdown.tsx'
import { sendByKey } from '../send-key.ts'
import { continuedList } from './continued-list.ts'
import './markdown-area.css'

const Tools = lazy(() => import('./tools.tsx'))

interface MarkdownAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id' | 'value' | 'onChange'> {
  /** Whose members and records can be named in the text. */
  readonly boardId: string
  readonly value: string
  readonly onText: (text: string) => void
  readonly ref?: Ref<HTMLTextAreaElement>
  /** The properties of a locked field, for people who may not write here. */
  readonly closed?: ClosedControl | undefined
}

/**
 * A text area for Markdown. With the focus it gets its tools: buttons, a preview, and who and what can be named after `@`
 * and `#`. Enter goes on in a list, Ctrl+Enter sends the form.
 */
export function MarkdownArea({ boardId, value, onText, closed, ...area }: MarkdownAreaProps) {
  const id = useId()
  const expander = useRef<HTMLElement>(null)
  const [isAwake, setAwake] = useState(false)
  const [isPreviewed, setPreviewed] = useState(false)
  return (
    <div className="markdown-area">
      {isAwake && (
        <Suspense fallback={<div className="markdown-tools" />}>
          <Tools
            areaId={id}
            boardId={boardId}
            expander={expander}
            isPreviewed={isPreviewed}
            onPreview={setPreviewed}
            onText={onText}
          />
        </Suspense>
      )}
      <text-expander keys="@ #" ref={expander} hidden={isPreviewed}>
        <textarea
          className="input"
          dir="auto"
          {...area}
          id={id}
          value={value}
          onChange={event => onText(event.target.value)}
          onFocus={() => setAwake(true)}
          onKeyDown={onKey}
          {...closed}
        />
      </text-expander>
      {isPreviewed && (
        <div className="markdown-preview">
          <Markdown text={value} />
        </div>
      )}
    </div>
  )
}

/** Keys that a list of suggestions has taken are not acted on again. */
function onKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
  const { key, currentTarget: area, nativeEvent } = event
  if (event.defaultPrevented || nativeEvent.isComposing || key !== 'Enter') return
  sendByKey(event)
  const isAlone = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
  if (!isAlone || area.selectionStart !== area.selectionEnd) return
  const continued = continuedList(area.value, area.selectionStart)
  if (continued === undefined) return
  event.preventDefault()
  area.setSelectionRange(continued.from, area.selectionEnd)
  // Nothing else writes so that Ctrl+Z takes it back.
  if (continued.insert === '') document.execCommand('delete')
  else document.execCommand('insertText', false, continued.insert)
}
