import { useState } from 'react'
import { Button } from '../components/button.tsx'
import type { Guards } from '../components/guarded.tsx'
import { messages } from '../messages/messages.ts'
import { type PutChoice as Choice, PutChoiceDialog } from './put-choice-dialog.tsx'

interface PutChoiceProps extends Guards {
  /** The key under which the draft is kept until it is sent. */
  readonly draft: string
  /** The label of the question field. */
  readonly label: string
  readonly onSubmit: (choice: Choice) => Promise<unknown>
}

/** The button that opens the dialog for a choice. */
export function PutChoice({ needs, allowed, ...props }: PutChoiceProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="row">
      <Button needs={needs} allowed={allowed} className="button quiet" onClick={() => setIsOpen(true)}>
        {messages.card.choice.title}
      </Button>
      {isOpen && <PutChoiceDialog {...props} onClose={() => setIsOpen(false)} />}
    </div>
  )
}
