import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog } from '../components/dialog.tsx'
import { TextField } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { Submit } from '../components/submit.tsx'
import { type Card, refreshCard } from '../data/cards.ts'
import { client } from '../data/client.ts'
import type { WaivedGate } from '../data/waivers.ts'
import { messages } from '../messages/messages.ts'

const texts = messages.card.waiver

interface WaiverDialogProps {
  readonly card: Pick<Card, 'id' | 'ref'>
  /** The gates that its board has switched on for it. */
  readonly gates: readonly WaivedGate[]
  readonly onClose: () => void
}

/** Excuses a card from gates, with the reason that everybody sees (evidence 8, rule 5). */
export default function WaiverDialog({ card, gates, onClose }: WaiverDialogProps) {
  const queries = useQueryClient()
  const [chosen, setChosen] = useState<ReadonlySet<WaivedGate>>(new Set(gates.slice(0, 1)))
  const waiving = useMutation({
    mutationFn: async (fields: FormData) => {
      const reason = String(fields.get('reason')).trim()
      await client.setCardWaiver({ card_id: card.id, gates: gates.filter(gate => chosen.has(gate)), reason })
      await refreshCard(queries, card)
    },
    onSuccess: onClose,
  })
  const toggle = (gate: WaivedGate) => setChosen(new Set(chosen.has(gate) ? without(chosen, gate) : [...chosen, gate]))
  return (
    <Dialog title={texts.titleOf(card.ref)} onClose={onClose}>
      <Form draft={`waiver:${card.id}`} className="stack scrolls" onSend={waiving.mutateAsync}>
        <p className="muted">{texts.lead}</p>
        <fieldset className="choices stack">
          <legend>{texts.gates}</legend>
          {gates.map(gate => (
            <label key={gate} className="row">
              <input type="checkbox" checked={chosen.has(gate)} onChange={() => toggle(gate)} />
              {texts.gate[gate]}
            </label>
          ))}
        </fieldset>
        <TextField label={texts.reason} name="reason" required rows={3} minLength={10} maxLength={2000} />
        <Submit sending={waiving}>{texts.waive}</Submit>
      </Form>
    </Dialog>
  )
}

const without = (chosen: ReadonlySet<WaivedGate>, gate: WaivedGate) => [...chosen].filter(other => other !== gate)
