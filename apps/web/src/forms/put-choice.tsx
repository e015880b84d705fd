import { useState } from 'react'
import { messages } from '../messages/messages.ts'
import { type PutChoice as Choice, PutChoiceDialog } from './put-choice-dialog.tsx'

interface PutChoiceProps {
  /** What is asked, on the field. */
  readonly label: string
  readonly onSubmit: (choice: Choice) => Promise<unknown>
}

/** The way to put a choice to others. */
export function PutChoice(props: PutChoiceProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="row">
      <button type="button" className="button quiet" onClick={() => setIsOpen(true)}>
        {messages.card.choice.title}
      </button>
      {isOpen && <PutChoiceDialog {...props} onClose={() => setIsOpen(false)} />}
    </div>
  )
}
