import { useLayoutEffect, useRef } from 'react'
import { isTyping } from './keyboard.ts'

interface HeldKeysProps {
  readonly onEscape: () => void
}

/**
 * Holds back what is typed while something that a key or a click opened is still loading, so that the keys do not act
 * on the page. The text goes into the field that gets the focus when it opens.
 */
export function HeldKeys({ onEscape }: HeldKeysProps): null {
  const leave = useRef(onEscape)
  leave.current = onEscape
  useLayoutEffect(() => {
    let words = ''
    const hold = (event: KeyboardEvent) => {
      const { key } = event
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event.target)) return
      if (key === 'Tab' || /^F\d/.test(key)) return
      event.preventDefault()
      event.stopImmediatePropagation()
      if (key === 'Escape') leave.current()
      else if (key === 'Backspace') words = words.slice(0, -1)
      else if (key.length === 1) words += key
    }
    addEventListener('keydown', hold, true)
    return () => {
      removeEventListener('keydown', hold, true)
      if (words !== '') typeInNextField(words)
    }
  }, [])
  return null
}

/** Types words into the next field that gets the focus, unless a person does something else first. */
function typeInNextField(words: string): void {
  const ended = new AbortController()
  const end = () => ended.abort()
  const { signal } = ended
  addEventListener(
    'focusin',
    ({ target }) => {
      if (!(target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && textual.test(target.type))))
        return
      end()
      target.setRangeText(words, target.selectionStart ?? 0, target.selectionEnd ?? 0, 'end')
      target.dispatchEvent(new InputEvent('input', { bubbles: true, data: words, inputType: 'insertText' }))
    },
    { signal },
  )
  addEventListener('pointerdown', end, { signal, capture: true })
  addEventListener('keydown', ({ key }) => key === 'Escape' && end(), { signal, capture: true })
}

/** The types of inputs that have a caret. */
const textual = /^(?:text|search|url|tel)$/
