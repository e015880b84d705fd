import { type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { messages } from '../../messages/messages.ts'

/** A file that was attached to the record of a text. */
export interface AttachedFile {
  readonly address: string
  readonly isPicture: boolean
}

/** Attaches a file to the record of a text. Rejects if refused. */
export type Attach = (file: File) => Promise<AttachedFile>

/** A name without characters that would close the brackets around it. */
const named = ({ name }: File): string => name.replace(/[[\]\\\n\r`]/g, ' ').trim()

/**
 * The placeholder in a text while a file is uploaded: a picture without an address, whose description ends with an
 * ellipsis.
 */
const placeholderFor = (file: File): string => `![${messages.writing.uploading(named(file))}…]()`

const placeholders = /!\[[^[\]\n]*…\]\(\)/g

/** A text without the placeholders of interrupted uploads. */
const withoutPlaceholders = (text: string): string => text.replace(placeholders, '')

/**
 * Attaches files that are inserted into a text: a placeholder is shown during the upload, then a picture or a link. The
 * text cannot be sent before the upload ends. If the placeholder was deleted or the text abandoned, the file stays
 * attached to the record.
 * @returns a function that takes files, and why the last ones were refused
 */
export function useAttachedFiles(
  around: RefObject<HTMLElement | null>,
  value: string,
  onText: (text: string) => void,
  attach: Attach | undefined,
) {
  const [error, setError] = useState<unknown>(null)
  const latestOnText = useRef(onText)
  latestOnText.current = onText
  const running = useRef(0)
  // A tab may have been closed during an upload, with the placeholder kept in the draft.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what the field begins with
  useEffect(() => {
    if (withoutPlaceholders(value) !== value) onText(withoutPlaceholders(value))
  }, [])

  const field = () => around.current?.querySelector('textarea') ?? undefined

  /** Replaces a part of the text; the caret stays where somebody writes. */
  const replace = (part: string, by: string) => {
    const area = field()
    const at = area?.value.indexOf(part) ?? -1
    if (area === undefined || at === -1) return
    area.setRangeText(by, at, at + part.length, 'preserve')
    // At once: whoever sends the text in the same moment sends what the field shows.
    flushSync(() => latestOnText.current(area.value))
  }

  const take = async (files: readonly File[]): Promise<void> => {
    const area = field()
    if (attach === undefined || area === undefined || files.length === 0) return
    setError(null)
    area.focus()
    // Only this way can Ctrl+Z undo it.
    document.execCommand('insertText', false, files.map(placeholderFor).join('\n'))
    running.current += 1
    area.setCustomValidity(messages.writing.waitForUpload)
    for (const file of files) {
      try {
        const { address, isPicture } = await attach(file)
        replace(placeholderFor(file), `${isPicture ? '!' : ''}[${named(file)}](${address})`)
      } catch (refused) {
        replace(placeholderFor(file), '')
        setError(refused)
      }
    }
    running.current -= 1
    if (running.current === 0) area.setCustomValidity('')
  }

  return { take, error }
}
