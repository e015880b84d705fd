import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Choice } from '../../components/choice.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { InputField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Input } from '../../components/input.tsx'
import { Submit } from '../../components/submit.tsx'
import { toast } from '../../components/toast.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { useKeptField } from '../../data/drafts.ts'
import { creatingCard } from '../../data/needs.ts'
import { refreshPlan, type Spec } from '../../data/planning.ts'
import { useCardType } from '../../data/rights.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.planning

const cardTypes = ['normal', 'test'] as const
type CardType = (typeof cardTypes)[number]

interface AddCardDialogProps {
  readonly board: BoardListItem
  readonly spec: Pick<Spec, 'id' | 'test_scenarios'>
  readonly onClose: () => void
  /** Set for a test card of this scenario. */
  readonly scenarioId?: string
}

/** Creates a card of a spec; for a test card also its scenarios. */
export function AddCardDialog({ board, spec, onClose, scenarioId }: AddCardDialogProps) {
  const queries = useQueryClient()
  const usual = useCardType()
  const draft = `new-card:${scenarioId ?? spec.id}`
  const draftType = useKeptField(draft, 'type')
  const [type, setType] = useState<CardType>(
    scenarioId === undefined ? (cardTypes.find(value => value === draftType) ?? usual) : 'test',
  )
  const scenarios = spec.test_scenarios ?? []
  const adding = useMutation({
    mutationFn: async (fields: FormData) => {
      const { ref } = await client.createCard({
        board_id: board.id,
        spec_id: spec.id,
        title: String(fields.get('title')),
        card_type: type,
        test_scenario_ids: fields.getAll('scenario').map(String),
      })
      toast(texts.made(ref))
      await refreshPlan(queries, 'spec', spec.id)
    },
    onSuccess: onClose,
  })
  return (
    <Dialog title={texts.newCard} onClose={onClose}>
      <Form draft={draft} className="stack scrolls" onSend={adding.mutateAsync}>
        <InputField label={texts.newTitle} name="title" required maxLength={500} />
        <Choice
          label={messages.card.type}
          name="type"
          value={type}
          options={cardTypes.map(value => ({ value, label: messages.board.types[value] }))}
          onChange={value => setType(value === 'test' ? 'test' : 'normal')}
        />
        {type === 'test' && scenarios.length > 0 && (
          <fieldset className="plan-choices">
            <legend>{texts.tries}</legend>
            {scenarios.map(({ id, title }) => (
              <label key={id} className="row">
                <Input type="checkbox" name="scenario" value={id} defaultChecked={id === scenarioId} />
                <bdi>{title}</bdi>
              </label>
            ))}
          </fieldset>
        )}
        <Submit sending={adding} needs={creatingCard(type)}>
          {texts.create}
        </Submit>
      </Form>
    </Dialog>
  )
}
