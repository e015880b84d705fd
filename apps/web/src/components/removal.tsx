import { type ReactNode, useState } from 'react'
import { messages } from '../messages/messages.ts'
import { Confirm } from './confirm.tsx'
import type { Guards } from './guarded.tsx'
import { IconButton } from './icon-button.tsx'

interface RemovalProps extends Guards {
  /** The name of what is removed, on the button and above the question. */
  readonly label: string
  readonly lead: string
  readonly onConfirm: () => Promise<unknown>
}

/** Removes a part of a record after a confirmation: it cannot be restored. */
export function Removal({ label, lead, onConfirm, ...guards }: RemovalProps) {
  const { ask, dialog } = useRemoval({ label, lead, onConfirm })
  return (
    <>
      <IconButton icon="close" label={label} title={messages.card.remove} {...guards} onClick={ask} />
      {dialog}
    </>
  )
}

/**
 * The same for a menu item, which has disappeared by the time the question is shown. Returns a function that asks, and
 * the question while it is open.
 */
export function useRemoval({ label, lead, onConfirm }: Omit<RemovalProps, keyof Guards>): {
  readonly ask: () => void
  readonly dialog: ReactNode
} {
  const [isAsking, setAsking] = useState(false)
  return {
    ask: () => setAsking(true),
    dialog: isAsking && (
      <Confirm
        title={label}
        lead={lead}
        action={messages.card.remove}
        onConfirm={onConfirm}
        onClose={() => setAsking(false)}
      />
    ),
  }
}
