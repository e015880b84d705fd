import { type ReactNode, useEffect, useId, useRef } from 'react'
import { messages } from '../messages/messages.ts'
import { focusFirstField } from './first-field.ts'
import { IconButton } from './icon-button.tsx'
import './dialog.css'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /**
   * A drawer opens at the side and leaves the page visible; a wide dialog has room for two columns, a full one takes
   * all the room there is.
   */
  readonly kind?: 'dialog' | 'wide' | 'full' | 'drawer' | 'palette'
  /** Shown instead of the title, which is then only read out: the breadcrumbs of what the drawer shows. */
  readonly lead?: ReactNode
  /** Shown next to the title. */
  readonly actions?: ReactNode
  /** The label of the only button that closes a dialog whose content is never shown again. */
  readonly leave?: string
}

/**
 * A modal dialog: focus starts in its first field and stays inside, Escape and a click outside close it, and focus
 * returns to where it was.
 */
export function Dialog({ title, onClose, children, kind = 'dialog', lead, actions, leave }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  const isKept = leave !== undefined
  useEffect(() => {
    const dialog = element.current!
    const before = document.activeElement
    dialog.showModal()
    const end = focusFirstField(dialog, kind !== 'drawer')
    return () => {
      end()
      dialog.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [kind])
  useEffect(() => {
    if (!isKept) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isKept])
  return (
    <dialog
      ref={element}
      tabIndex={-1}
      className={`dialog ${kind}`}
      aria-labelledby={kind === 'palette' ? undefined : id}
      aria-label={kind === 'palette' ? title : undefined}
      onKeyDown={event => {
        // Browsers let a page prevent one Escape and close the dialog at the next; preventing the key event itself
        // works every time.
        if (isKept && event.key === 'Escape') event.preventDefault()
      }}
      onCancel={event => {
        if (event.target !== element.current) return
        event.preventDefault()
        if (!isKept) onClose()
      }}
      onClose={event => {
        if (isKept && event.target === element.current) element.current?.showModal()
      }}
      onClick={event => {
        if (event.target === element.current && !isKept) onClose()
      }}
    >
      <div className="dialog-body">
        {kind !== 'palette' && (
          <header className="dialog-head">
            <h2 id={id} className={lead ? 'hidden' : 'grow'}>
              {title}
            </h2>
            {lead}
            {Boolean(lead) && <span className="grow" />}
            {actions}
            {!isKept && <IconButton icon="close" label={messages.shell.close} onClick={onClose} />}
          </header>
        )}
        {children}
        {isKept && (
          <div className="row">
            <button type="button" className="button primary" onClick={onClose}>
              {leave}
            </button>
          </div>
        )}
      </div>
    </dialog>
  )
}
