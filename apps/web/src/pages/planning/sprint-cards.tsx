import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Form } from '../../components/form.tsx'
import { Icon } from '../../components/icon.tsx'
import { Input } from '../../components/input.tsx'
import { StatusSign } from '../../components/status.tsx'
import { Submit } from '../../components/submit.tsx'
import { client } from '../../data/client.ts'
import { refreshPlan, type Sprint, usePlan } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.planning

/** Chooses which cards of its spec a sprint delivers. */
export function SprintCards({ sprint }: { readonly sprint: Sprint }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <p>
      <Button needs={['SPRINTS_ASSIGN']} onClick={() => setOpen(true)}>
        <Icon name="plus" /> {texts.choose}
      </Button>
      {isOpen && <ChooseDialog sprint={sprint} onClose={() => setOpen(false)} />}
    </p>
  )
}

function ChooseDialog({ sprint, onClose }: { readonly sprint: Sprint; readonly onClose: () => void }) {
  const queries = useQueryClient()
  const { data: spec } = usePlan('spec', sprint.spec_id)
  const cards = spec?.record.cards.filter(({ archived }) => !archived) ?? []
  const before = new Set(sprint.cards.map(({ id }) => id))
  const choosing = useMutation({
    mutationFn: async (chosen: ReadonlySet<string>) => {
      const [added, removed] = [[...chosen.difference(before)], [...before.difference(chosen)]]
      if (added.length > 0) await client.assignSprintTasks({ sprint_id: sprint.id, card_ids: added })
      if (removed.length > 0) await client.unassignSprintTasks({ sprint_id: sprint.id, card_ids: removed })
      await refreshPlan(queries, 'sprint', sprint.id)
    },
    onSuccess: onClose,
  })
  return (
    <Dialog title={texts.choose} onClose={onClose}>
      <Form
        draft={`sprint-cards:${sprint.id}`}
        className="stack scrolls"
        onSend={fields => choosing.mutateAsync(new Set(fields.getAll('card').map(String)))}
      >
        <p className="muted">{texts.chooseLead(sprint.ref)}</p>
        {spec !== undefined && cards.length === 0 && <p>{texts.noneToChoose}</p>}
        {cards.map(({ id, ref, title, status, sprint_id }) => (
          <label key={id} className="row">
            <Input type="checkbox" name="card" value={id} defaultChecked={before.has(id)} />
            <StatusSign status={status} />
            <span className="ref">{ref}</span>
            <span className="truncate grow" dir="auto">
              {title}
            </span>
            {sprint_id !== null && sprint_id !== sprint.id && <span className="badge">{texts.inSprint}</span>}
          </label>
        ))}
        <Submit sending={choosing}>{messages.shell.save}</Submit>
      </Form>
    </Dialog>
  )
}
