import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { refusalOf } from '../data/refusal.ts'
import { messages } from '../messages/messages.ts'
import { IconButton } from './icon-button.tsx'
import './toast.css'

interface Toast {
  readonly id: number
  readonly text: string
  readonly undo: Undo | undefined
  readonly onGone: (() => unknown) | undefined
}

/** Takes back what was done. */
type Undo = () => unknown

/** How long a toast stays, ms; one with Undo stays longer. */
const shownMs = 4_000
const undoMs = 8_000

let toasts: readonly Toast[] = []
let last = 0
const listeners = new Set<() => void>()

function change(next: readonly Toast[], undone?: number): void {
  const removed = toasts.filter(toast => !next.includes(toast) && toast.id !== undone)
  toasts = next
  for (const listener of listeners) listener()
  for (const { onGone } of removed) onGone?.()
}

const remove = (id: number): void => change(toasts.filter(toast => toast.id !== id))

/**
 * Shows that something has happened, with Undo if possible; replaces the previous toast. An Undo that fails shows why.
 * @param onGone called when the toast is gone, so that Undo is no longer possible
 */
export function toast(text: string, undo?: Undo, onGone?: () => unknown): void {
  last++
  change([{ id: last, text, undo, onGone }])
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The visible toasts; screen readers read them out. */
export function Toasts() {
  const visible = useSyncExternalStore(subscribe, () => toasts)
  const element = useRef<HTMLDivElement>(null)
  const latest = visible.at(-1)?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown last stands above all that was opened before
  useEffect(() => {
    element.current!.hidePopover()
    element.current!.showPopover()
  }, [latest])
  return (
    <div ref={element} popover="manual" className="toasts" role="status" aria-live="polite">
      {visible.map(item => (
        <ToastView key={item.id} toast={item} />
      ))}
    </div>
  )
}

async function takeBack(id: number, undo: Undo): Promise<void> {
  change(
    toasts.filter(toast => toast.id !== id),
    id,
  )
  try {
    await undo()
  } catch (error) {
    toast(refusalOf(error).message)
  }
}

/** Undoes the action of the visible toast, if it can be undone. */
export function undoLast(): void {
  const [latest] = toasts
  if (latest?.undo !== undefined) void takeBack(latest.id, latest.undo)
}

/** Disappears on its own, but not while somebody points at it or has the focus in it. */
function ToastView({ toast: { id, text, undo } }: { readonly toast: Toast }) {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(remove, undo === undefined ? shownMs : undoMs, id)
    return () => clearTimeout(timer)
  }, [id, undo, isHeld])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is listened to is only whether somebody is there
    <div
      className="toast"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className="grow">{text}</span>
      {undo !== undefined && (
        <button type="button" className="button quiet" onClick={() => void takeBack(id, undo)}>
          {messages.shell.undo}
        </button>
      )}
      <IconButton icon="close" label={messages.shell.dismiss} onClick={() => remove(id)} />
    </div>
  )
}
