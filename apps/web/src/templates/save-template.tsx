import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { InputField } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { Icon } from '../components/icon.tsx'
import { Submit } from '../components/submit.tsx'
import { toast } from '../components/toast.tsx'
import type { BoardListItem } from '../data/boards.ts'
import { client } from '../data/client.ts'
import { keys } from '../data/keys.ts'
import type { Template, TemplateType } from '../data/templates.ts'
import { messages } from '../messages/messages.ts'

const texts = messages.templates

/** The fields of each type of record that a template keeps (web 4). */
const templateFields = {
  card: [
    ...['title', 'card_type', 'priority', 'description', 'details', 'labels', 'paths', 'severity'],
    ...['expected_behavior', 'observed_behavior', 'steps_to_reproduce', 'action_plan', 'check'],
  ],
  spec: [
    ...['title', 'description', 'context', 'functional_requirements', 'technical_requirements'],
    ...['acceptance_criteria', 'labels'],
  ],
} as const satisfies Readonly<Record<TemplateType, readonly string[]>>

const isFilled = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)

/** The fields of a record that its template keeps: those that are not empty. */
const fieldsOf = (type: TemplateType, record: object): Template['content'] =>
  Object.fromEntries(
    Object.entries(record).filter(([name, value]) => templateFields[type].some(k => k === name) && isFilled(value)),
  )

interface SaveTemplateProps {
  readonly board: BoardListItem
  readonly type: TemplateType
  readonly record: { readonly id: string; readonly title: string }
}

/** Saves the fields of a card or spec as a template of its board. */
export function SaveTemplate({ board, type, record }: SaveTemplateProps) {
  const queries = useQueryClient()
  const [isNaming, setNaming] = useState(false)
  const close = () => setNaming(false)
  const saving = useMutation({
    mutationFn: async (form: FormData) => {
      const name = String(form.get('name'))
      const { id } = await client.createTemplate({
        board_id: board.id,
        entity_type: type,
        name,
        content: fieldsOf(type, record),
      })
      const read = () => queries.invalidateQueries({ queryKey: keys.list(board.id, 'templates') })
      await read()
      toast(texts.saved(name), () => client.deleteTemplate({ template_id: id }).then(read))
    },
    onSuccess: close,
  })
  return (
    <>
      <Button needs={['BOARDS_UPDATE']} className="button quiet" onClick={() => setNaming(true)}>
        <Icon name="copy" size={14} /> {texts.save}
      </Button>
      {isNaming && (
        <Dialog title={texts.save} onClose={close}>
          <Form draft={`new-template:${record.id}`} onSend={saving.mutateAsync}>
            <p className="muted">{texts.saveLead}</p>
            <InputField
              label={texts.name}
              name="name"
              required
              maxLength={100}
              defaultValue={record.title.slice(0, 100)}
            />
            <Submit sending={saving}>{messages.shell.save}</Submit>
          </Form>
        </Dialog>
      )}
    </>
  )
}
