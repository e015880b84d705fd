import { useEffect, useRef, useSyncExternalStore } from 'react'
import { currentPreferences } from '../preferences.ts'
import { openPopover } from './popover.ts'

/** A key binding and its description in the key sheet. */
export interface KeyBinding {
  /**
   * As in `event.key`; `mod+k` is Ctrl or Cmd, `alt+ArrowUp` is Alt or Option; two keys in sequence are separated by a
   * space.
   */
  readonly keys: string
  readonly says: string
  readonly run: (event: KeyboardEvent) => void
  readonly place: 'everywhere' | 'here'
}

let bindings: readonly KeyBinding[] = []
const listeners = new Set<() => void>()

function change(next: readonly KeyBinding[]): void {
  bindings = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The active key bindings. */
export const useBindings = (): readonly KeyBinding[] => useSyncExternalStore(subscribe, () => bindings)

/** Adds key bindings while a component is shown. They are inactive while somebody types or a dialog is open. */
export function useKeys(own: readonly KeyBinding[]): void {
  const current = useRef(own)
  current.current = own
  const names = own.map(binding => `${binding.keys}\n${binding.says}`).join('\n\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names stand for the bindings, which are new each time
  useEffect(() => {
    const added = current.current.map((binding, index) => ({
      ...binding,
      run: (event: KeyboardEvent) => current.current[index]?.run(event),
    }))
    change([...bindings, ...added])
    return () => change(bindings.filter(binding => !added.includes(binding)))
  }, [names])
}

/** Whether the target of a key press is a field that somebody types in. */
export const isTyping = (target: EventTarget | null): target is HTMLElement =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && target.type === 'checkbox')

/** Takes the focus out of a field; in a dialog, the next Escape closes that. */
function leaveField(field: HTMLElement): void {
  const dialog = field.closest('dialog')
  if (dialog === null) field.blur()
  else dialog.focus()
}

/** How long the first key of a sequence is remembered, ms. */
const sequenceMs = 1_200

/** Handles key presses. Used once, by the shell. */
export function useKeyboard(): void {
  useEffect(() => {
    let first = ''
    let firstAt = 0
    const onKeyDown = (event: KeyboardEvent) => {
      const isMod = event.ctrlKey || event.metaKey
      // With Alt, other keys write characters or belong to the browser.
      if (event.altKey && (isMod || !/^Arrow(?:Up|Down)$/.test(event.key))) return
      if (event.defaultPrevented || event.isComposing) return
      if (event.key === 'Escape' && isTyping(event.target)) {
        event.preventDefault()
        leaveField(event.target)
        return
      }
      if (!isMod && (isTyping(event.target) || document.querySelector(`dialog[open], ${openPopover}`))) return
      if (!isMod && event.key.length === 1 && currentPreferences().isWithoutLetters) return
      const name = isMod ? `mod+${event.key.toLowerCase()}` : event.altKey ? `alt+${event.key}` : event.key
      // A field handles its own Undo.
      if (name === 'mod+z' && isTyping(event.target)) return
      const pair = event.timeStamp - firstAt < sequenceMs ? `${first} ${name}` : undefined
      const found =
        bindings.findLast(binding => binding.keys === pair) ?? bindings.findLast(({ keys }) => keys === name)
      first = found === undefined ? name : ''
      firstAt = event.timeStamp
      if (found === undefined) return
      event.preventDefault()
      found.run(event)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}
