import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messages } from '../messages/messages.ts'
import { Dialog } from './dialog.tsx'
import { Failure } from './refusal.tsx'

interface ConfirmProps {
  readonly title: string
  readonly lead: string
  /** Further information below the lead. */
  readonly children?: ReactNode
  /** The label of the button. */
  readonly action: string
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}

/** Asks for confirmation before something that cannot be undone. */
export function Confirm({ title, lead, children, action, onConfirm, onClose }: ConfirmProps) {
  const doing = useMutation({ mutationFn: onConfirm, onSuccess: onClose })
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{lead}</p>
      {children}
      <Failure error={doing.error} />
      <div className="row">
        <button type="button" className="button primary" disabled={doing.isPending} onClick={() => doing.mutate()}>
          {action}
        </button>
        <button type="button" className="button quiet" data-first="" onClick={onClose}>
          {messages.shell.cancel}
        </button>
      </div>
    </Dialog>
  )
}
