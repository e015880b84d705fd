import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { InputField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Submit } from '../../components/submit.tsx'
import { toast } from '../../components/toast.tsx'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { creating } from '../../data/needs.ts'
import { refreshPlan, type Spec } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.planning.suggested

type Suggestion = Awaited<ReturnType<typeof client.suggestSprints>>['suggestions'][number]

interface SuggestedSprintsProps {
  readonly boardId: string
  readonly spec: Spec
}

/** Suggests how to divide the open cards of a spec into sprints (planning 1.8). */
export function SuggestedSprints({ boardId, spec }: SuggestedSprintsProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <p>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {texts.open}
      </button>
      {isOpen && <SuggestionsDialog boardId={boardId} spec={spec} onClose={() => setOpen(false)} />}
    </p>
  )
}

/** The default maximum number of cards in a sprint; the service accepts 1 to 100. */
const usualSize = 8

function SuggestionsDialog({ boardId, spec, onClose }: SuggestedSprintsProps & { readonly onClose: () => void }) {
  const [threshold, setThreshold] = useState(usualSize)
  const { data, error } = useQuery({
    queryKey: keys.list(boardId, 'sprint', { suggestedFor: spec.id, threshold }),
    staleTime: 0,
    queryFn: () => client.suggestSprints({ board_id: boardId, spec_id: spec.id, threshold, unassigned_only: true }),
  })
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <div className="stack scrolls">
        <p className="muted">{texts.lead(spec.ref)}</p>
        <InputField
          label={texts.size}
          className="input numbers"
          type="number"
          min={1}
          max={100}
          value={threshold}
          onChange={event => event.target.validity.valid && setThreshold(event.target.valueAsNumber)}
        />
        <Failure error={error} />
        {data?.count === 0 && <p>{texts.none}</p>}
        {data?.suggestions.map(suggestion => (
          <SuggestionForm key={suggestion.card_ids.join()} boardId={boardId} spec={spec} suggestion={suggestion} />
        ))}
      </div>
    </Dialog>
  )
}

/** A suggested sprint, created unchanged or under another title. */
function SuggestionForm({ boardId, spec, suggestion }: SuggestedSprintsProps & { readonly suggestion: Suggestion }) {
  const queries = useQueryClient()
  const { title, description, card_ids, card_titles, test_scenario_ids, business_rule_ids } = suggestion
  const making = useMutation({
    mutationFn: (chosen: string) => {
      const sprint = { title: chosen, description, card_ids, test_scenario_ids, business_rule_ids }
      return client.createSprint({ board_id: boardId, spec_id: spec.id, ...sprint })
    },
    onSuccess: async ({ ref }) => {
      toast(messages.planning.made(ref))
      await queries.invalidateQueries({ queryKey: keys.list(boardId, 'sprint') })
      await refreshPlan(queries, 'spec', spec.id)
    },
  })
  return (
    <Form
      draft={`suggested-sprint:${card_ids.join()}`}
      className="plan-suggestion stack"
      aria-label={title}
      onSend={fields => making.mutateAsync(String(fields.get('title')))}
    >
      <InputField label={messages.planning.newTitle} name="title" required maxLength={500} defaultValue={title} />
      <ul>
        {card_titles.map((cardTitle, index) => (
          <li key={card_ids[index]}>{cardTitle}</li>
        ))}
      </ul>
      <Submit sending={making} needs={creating('sprint')}>
        {texts.make(card_ids.length)}
      </Submit>
    </Form>
  )
}
