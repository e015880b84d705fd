import { useState } from 'react'
import { messages } from '../messages/messages.ts'
import { Confirm } from './confirm.tsx'
import type { Guards } from './guarded.tsx'
import { IconButton } from './icon-button.tsx'

interface RemovalProps extends Guards {
  /** What is removed, on the button and above the question. */
  readonly label: string
  readonly lead: string
  readonly onConfirm: () => Promise<unknown>
}

/** Removes a part of a record after a confirmation: it cannot be restored. */
export function Removal({ label, lead, onConfirm, ...guards }: RemovalProps) {
  const [isAsking, setIsAsking] = useState(false)
  const { remove } = messages.card
  return (
    <>
      <IconButton icon="close" label={label} title={remove} {...guards} onClick={() => setIsAsking(true)} />
      {isAsking && (
        <Confirm title={label} lead={lead} action={remove} onConfirm={onConfirm} onClose={() => setIsAsking(false)} />
      )}
    </>
  )
}
