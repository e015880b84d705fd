import '@github/markdown-toolbar-element'
import '@github/text-expander-element'
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'
import { messages } from '../../messages/messages.ts'
import { Glyph } from '../icon.tsx'
import { paths } from '../lucide.ts'
import { keptInWindow, listOf, suggestionsFor } from './suggestions.ts'
import { toolIcons as icons } from './tool-icons.ts'

const texts = messages.writing

interface Tool {
  /** What it writes, by its name in the toolbar's library. */
  readonly style: string
  /** The path of its icon. */
  readonly icon: string
  readonly label: string
  /** The key that does the same with Ctrl. */
  readonly key?: string
}

const tools: readonly Tool[] = [
  { style: 'bold', icon: icons.bold, label: texts.bold, key: 'b' },
  { style: 'italic', icon: icons.italic, label: texts.italic, key: 'i' },
  { style: 'code', icon: icons.code, label: texts.code, key: 'e' },
  { style: 'link', icon: paths.link, label: texts.link, key: 'k' },
  { style: 'unordered-list', icon: icons.bullets, label: texts.bullets },
  { style: 'ordered-list', icon: icons.numbers, label: texts.numbers },
  { style: 'task-list', icon: icons.tasks, label: texts.tasks },
  { style: 'quote', icon: icons.quote, label: texts.quote },
  { style: 'mention', icon: icons.at, label: texts.mention },
  { style: 'ref', icon: icons.hash, label: texts.reference },
]

interface ToolsProps {
  readonly areaId: string
  readonly boardId: string
  /** The element around the text area. */
  readonly expander: RefObject<HTMLElement | null>
  readonly isPreviewed: boolean
  readonly onPreview: (isPreviewed: boolean) => void
  readonly onText: (text: string) => void
  /** Inserts files into the text; if undefined, no files can be inserted. */
  readonly onFiles: ((files: readonly File[]) => void) | undefined
}

/** The Markdown tools of a text area: loaded when somebody begins to write. */
export default function Tools({ areaId, boardId, expander, isPreviewed, onPreview, onText, onFiles }: ToolsProps) {
  const toolbar = useRef<HTMLElement>(null)
  const fileInput = useRef<HTMLInputElement>(null)
  const queries = useQueryClient()
  const latestOnText = useRef(onText)
  latestOnText.current = onText

  useEffect(() => {
    const element = expander.current!
    const controller = new AbortController()
    const { signal } = controller
    let list: HTMLElement | undefined
    element.addEventListener(
      'text-expander-change',
      event => {
        const { key, text, provide } = event.detail
        provide(
          suggestionsFor(key, text, boardId, queries).then(
            found => {
              list = listOf(found, key === '@' ? texts.people : texts.records)
              return { matched: found.length > 0, fragment: list }
            },
            () => ({ matched: false }),
          ),
        )
      },
      { signal },
    )
    // The library places the list right after this, and shows it.
    element.addEventListener('text-expander-activate', () => queueMicrotask(() => list && keptInWindow(list)), {
      signal,
    })
    element.addEventListener(
      'text-expander-value',
      ({ detail }) => {
        detail.value = detail.item.dataset.value ?? null
      },
      { signal },
    )
    element.addEventListener('text-expander-committed', ({ detail }) => latestOnText.current(detail.input.value), {
      signal,
    })
    element.addEventListener(
      'keydown',
      event => {
        if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
        const style = tools.find(({ key }) => key === event.key)?.style
        if (style === undefined) return
        event.preventDefault()
        event.stopPropagation()
        toolbar.current?.querySelector<HTMLElement>(`[data-md-button="${style}"]`)?.click()
      },
      { signal },
    )
    return () => controller.abort()
  }, [expander, boardId, queries])

  return (
    <div className="markdown-tools">
      <markdown-toolbar ref={toolbar} for={areaId} aria-label={texts.tools} hidden={isPreviewed}>
        {tools.map(({ style, icon, label, key }) => (
          <button
            key={style}
            type="button"
            className="button quiet icon"
            data-md-button={style}
            aria-label={label}
            aria-keyshortcuts={key && `Control+${key.toUpperCase()}`}
            title={key === undefined ? label : texts.withKey(label, key.toUpperCase())}
          >
            <Glyph path={icon} />
          </button>
        ))}
      </markdown-toolbar>
      {onFiles !== undefined && !isPreviewed && (
        <>
          <button
            type="button"
            className="button quiet icon"
            aria-label={texts.attach}
            title={texts.attach}
            onClick={() => fileInput.current?.click()}
          >
            <Glyph path={icons.picture} />
          </button>
          <input
            ref={fileInput}
            type="file"
            multiple
            hidden
            aria-label={texts.attach}
            onChange={({ target }) => {
              onFiles([...(target.files ?? [])])
              target.value = ''
            }}
          />
        </>
      )}
      <span className="grow" />
      <button type="button" className="button quiet" aria-pressed={isPreviewed} onClick={() => onPreview(!isPreviewed)}>
        {texts.preview}
      </button>
    </div>
  )
}
