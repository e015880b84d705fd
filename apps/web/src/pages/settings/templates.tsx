import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Empty } from '../../components/empty.tsx'
import { InputField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Icon } from '../../components/icon.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Removal } from '../../components/removal.tsx'
import { Submit } from '../../components/submit.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { type Template, useTemplates } from '../../data/templates.ts'
import { listed } from '../../messages/format.ts'
import { messages } from '../../messages/messages.ts'
import { fieldsIn } from '../../templates/template-choice.tsx'

const texts = messages.templates

/** The templates that a board keeps, to be renamed and deleted (web 4). */
export function Templates({ board }: { readonly board: BoardListItem }) {
  const queries = useQueryClient()
  const { data, error } = useTemplates(board.id)
  const [renamed, setRenamed] = useState<Template>()
  const after = async (change: Promise<unknown>) => {
    await change
    await queries.invalidateQueries({ queryKey: keys.list(board.id, 'templates') })
  }
  const renaming = useMutation({
    mutationFn: (form: FormData) =>
      after(client.updateTemplate({ template_id: renamed!.id, name: String(form.get('name')) })),
    onSuccess: () => setRenamed(undefined),
  })
  return (
    <>
      <p className="muted">{texts.lead}</p>
      <Failure error={error} />
      {data?.length === 0 && <Empty title={texts.empty} lead={texts.emptyLead} />}
      {data !== undefined && data.length > 0 && (
        <ul className="plain lines" aria-label={texts.title}>
          {data.map(template => (
            <li key={template.id} className="line template-line">
              <Icon name={template.entity_type === 'card' ? 'board' : 'file'} />
              <span className="template-what grow">
                <bdi>{template.name}</bdi>
                <span className="muted">
                  {texts.types[template.entity_type]}: {listed(fieldsIn(template))}
                </span>
              </span>
              <Button
                needs={['BOARDS_UPDATE']}
                className="button quiet"
                aria-label={texts.renameOf(template.name)}
                onClick={() => setRenamed(template)}
              >
                {texts.rename}
              </Button>
              <Removal
                label={texts.remove(template.name)}
                lead={texts.removeLead}
                needs={['BOARDS_UPDATE']}
                onConfirm={() => after(client.deleteTemplate({ template_id: template.id }))}
              />
            </li>
          ))}
        </ul>
      )}
      {renamed !== undefined && (
        <Dialog title={texts.renameOf(renamed.name)} onClose={() => setRenamed(undefined)}>
          <Form draft={`template:${renamed.id}:name`} onSend={renaming.mutateAsync}>
            <InputField label={texts.name} name="name" required maxLength={100} defaultValue={renamed.name} />
            <Submit sending={renaming}>{messages.shell.save}</Submit>
          </Form>
        </Dialog>
      )}
    </>
  )
}
