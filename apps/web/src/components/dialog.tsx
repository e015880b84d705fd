import { type ReactNode, useEffect, useId, useRef } from 'react'
import { messages } from '../messages/messages.ts'
import { IconButton } from './icon-button.tsx'
import './dialog.css'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** A drawer stands at the side and leaves what is behind it visible. */
  readonly kind?: 'dialog' | 'drawer' | 'palette'
  /** Beside the title. */
  readonly actions?: ReactNode
}

/** A modal dialog: focus stays in it, Escape and a click beside it close it, and focus goes back to where it was. */
export function Dialog({ title, onClose, children, kind = 'dialog', actions }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = element.current
    const before = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, which the browser reports as cancel
    <dialog
      ref={element}
      className={`dialog ${kind}`}
      aria-labelledby={kind === 'palette' ? undefined : id}
      aria-label={kind === 'palette' ? title : undefined}
      onCancel={event => {
        if (event.target !== element.current) return
        event.preventDefault()
        onClose()
      }}
      onClick={event => {
        if (event.target === element.current) onClose()
      }}
    >
      <div className="dialog-body">
        {kind !== 'palette' && (
          <header className="dialog-head">
            <h2 id={id} className="grow">
              {title}
            </h2>
            {actions}
            <IconButton icon="close" label={messages.shell.close} onClick={onClose} />
          </header>
        )}
        {children}
      </div>
    </dialog>
  )
}
