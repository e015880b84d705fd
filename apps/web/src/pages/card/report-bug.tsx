import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { addressOfCard } from '../../address.ts'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { InputField, TextField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Icon } from '../../components/icon.tsx'
import { Submit } from '../../components/submit.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import type { Card } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { creatingCard } from '../../data/needs.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.card.bug

const severities = ['minor', 'major', 'critical'] as const

interface ReportBugProps {
  readonly board: BoardListItem
  /** The card that caused the bug. */
  readonly card: Card
}

/** Reports a bug that a card caused. */
export function ReportBug({ board, card }: ReportBugProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="row">
      <Button needs={creatingCard('bug')} className="button quiet" onClick={() => setOpen(true)}>
        <Icon name="bug" size={14} /> {texts.report}
      </Button>
      {isOpen && <BugDialog board={board} card={card} onClose={() => setOpen(false)} />}
    </div>
  )
}

/** A form for the required fields of a bug (cards 3.1), and how the bug shows itself; then leads to the new bug. */
function BugDialog({ board, card, onClose }: ReportBugProps & { readonly onClose: () => void }) {
  const [, navigate] = useLocation()
  const reporting = useMutation({
    mutationFn: async (fields: FormData) => {
      const text = (name: string) => String(fields.get(name))
      const steps = text('steps')
      const { ref } = await client.createCard({
        board_id: board.id,
        card_type: 'bug',
        origin_task_id: card.id,
        title: text('title'),
        severity: severities.find(severity => severity === text('severity')) ?? 'major',
        expected_behavior: text('expected'),
        observed_behavior: text('observed'),
        ...(steps !== '' && { steps_to_reproduce: steps }),
      })
      navigate(addressOfCard(board.key, ref))
    },
  })
  return (
    <Dialog title={texts.reportTitle(card.ref)} onClose={onClose}>
      <Form draft={`new-bug:${card.id}`} className="stack scrolls" onSend={reporting.mutateAsync}>
        <p className="muted">{texts.reportLead}</p>
        <InputField label={messages.card.title} name="title" required maxLength={500} />
        <Choice
          label={texts.severity}
          name="severity"
          defaultValue="major"
          options={severities.map(value => ({ value, label: texts.severities[value] }))}
        />
        <TextField label={texts.observed} name="observed" required rows={2} />
        <TextField label={texts.expected} name="expected" required rows={2} />
        <TextField label={texts.steps} name="steps" rows={2} />
        <Submit sending={reporting}>{texts.create}</Submit>
      </Form>
    </Dialog>
  )
}
