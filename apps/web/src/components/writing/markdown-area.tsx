import {
  type KeyboardEvent,
  type Ref,
  type SyntheticEvent,
  type TextareaHTMLAttributes,
  useId,
  useRef,
  useState,
} from 'react'
import type { ClosedControl } from '../guarded.tsx'
import { Markdown } from '../markdown.tsx'
import { part } from '../part.tsx'
import { Failure } from '../refusal.tsx'
import { sendByKey } from '../send-key.ts'
import { type Attach, useAttachedFiles } from './attached-files.ts'
import { continuedList } from './continued-list.ts'
import './markdown-area.css'

const Tools = part(
  () => import('./tools.tsx'),
  () => <div className="markdown-tools" />,
)

interface MarkdownAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id' | 'value' | 'onChange'> {
  /** Whose members and records can be named in the text. */
  readonly boardId: string
  readonly value: string
  readonly onText: (text: string) => void
  readonly ref?: Ref<HTMLTextAreaElement>
  /** Attaches a file that is inserted into the text; if undefined, no files can be inserted. */
  readonly attach?: Attach | undefined
  /** The properties of a locked field, for people who may not write here. */
  readonly closed?: ClosedControl | undefined
}

/**
 * A text area for Markdown. While it has the focus it shows its tools: buttons, a preview, and suggestions after `@` and `#`. Enter continues a list, Ctrl+Enter sends the form. Files that are pasted, dropped or chosen are attached.
 */
export function MarkdownArea({ boardId, value, onText, attach, closed, ...area }: MarkdownAreaProps) {
  const id = useId()
  const expander = useRef<HTMLElement>(null)
  const [isAwake, setAwake] = useState(false)
  const [isPreviewed, setPreviewed] = useState(false)
  const [isOver, setOver] = useState(false)
  const takes = closed === undefined ? attach : undefined
  const { take, error } = useAttachedFiles(expander, value, onText, takes)
  const onTransfer = (event: SyntheticEvent, transfer: DataTransfer) => {
    const files = [...transfer.files]
    // Some programs add a picture of the text that they copy.
    if (takes === undefined || files.length === 0 || transfer.types.includes('text/plain')) return
    event.preventDefault()
    void take(files)
  }
  return (
    <div className="markdown-area">
      {isAwake && (
        <Tools
          areaId={id}
          boardId={boardId}
          expander={expander}
          isPreviewed={isPreviewed}
          onPreview={setPreviewed}
          onText={onText}
          onFiles={takes && (files => void take(files))}
        />
      )}
      <text-expander keys="@ #" ref={expander} hidden={isPreviewed}>
        <textarea
          dir="auto"
          {...area}
          className={isOver ? 'input over' : 'input'}
          id={id}
          value={value}
          onChange={event => onText(event.target.value)}
          onFocus={() => setAwake(true)}
          onKeyDown={onKey}
          onPaste={event => onTransfer(event, event.clipboardData)}
          onDragOver={event => {
            if (takes === undefined || !event.dataTransfer.types.includes('Files')) return
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={event => {
            setOver(false)
            onTransfer(event, event.dataTransfer)
          }}
          {...closed}
        />
      </text-expander>
      <Failure error={error} />
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
  // Only this way can Ctrl+Z undo it.
  if (continued.insert === '') document.execCommand('delete')
  else document.execCommand('insertText', false, continued.insert)
}
