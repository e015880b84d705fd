import { type RefObject, useEffect } from 'react'
import { type KeyBinding, useKeys } from '../../components/keyboard.ts'
import { openPopover } from '../../components/popover.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.card

/**
 * Keys of an open card: `m` opens its moves, `e` edits its text, `c` starts a comment. They also work in a drawer,
 * where other keys do not; there, `[` and `]` lead to its neighbours.
 */
export function useCardKeys(root: RefObject<HTMLElement | null>): void {
  const find = (selector: string) => root.current?.querySelector<HTMLElement>(selector)
  const bindings: readonly KeyBinding[] = [
    { keys: 'm', says: texts.keyMove, place: 'here', run: () => press(find('[data-key="m"]')) },
    { keys: 'e', says: texts.keyEdit, place: 'here', run: () => press(find('[data-key="e"] .edit-button')) },
    { keys: 'c', says: texts.keyComment, place: 'here', run: () => find('[data-key="c"]')?.focus() },
    { keys: 'l', says: messages.board.keys.label, place: 'here', run: () => focusProperty(root, 'l') },
    { keys: 'd', says: messages.board.keys.due, place: 'here', run: () => focusProperty(root, 'd') },
  ]
  useKeys(bindings)
  useEffect(() => {
    const drawer = root.current?.closest('dialog')
    if (drawer === null || drawer === undefined) return
    const onKeyDown = (event: KeyboardEvent) => {
      const { target } = event
      const isTyping = target instanceof HTMLElement && target.matches('input:not([type="checkbox"]), textarea, select')
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
      if (document.querySelector(openPopover)) return
      const found = bindings.find(({ keys }) => keys === event.key)
      const neighbour = /^[[\]]$/.test(event.key) && drawer.querySelector<HTMLElement>(`[data-key="${event.key}"]`)
      if (found === undefined && !neighbour) return
      event.preventDefault()
      if (neighbour) neighbour.click()
      else found?.run(event)
    }
    drawer.addEventListener('keydown', onKeyDown)
    return () => drawer.removeEventListener('keydown', onKeyDown)
  })
}

/**
 * Focuses the control of a property of the card; one without a value is shown first. On a narrow screen the properties
 * are unfolded.
 */
export function focusProperty(root: RefObject<HTMLElement | null>, key: string): void {
  const find = (selector: string) => root.current?.querySelector<HTMLElement>(selector) ?? null
  const control = () => find(`[data-key="${key}"] :is(input, select)`)
  const focus = () => {
    const found = control()
    const folded = found?.closest('details')
    if (folded) folded.open = true
    found?.focus()
  }
  if (control() !== null) {
    focus()
    return
  }
  find('[data-key="more"]')?.click()
  requestAnimationFrame(focus)
}

function press(control: HTMLElement | null | undefined): void {
  control?.focus()
  control?.click()
}
