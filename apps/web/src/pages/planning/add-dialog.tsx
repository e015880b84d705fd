import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { addressOfRecord } from '../../address.ts'
import { Choice } from '../../components/choice.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { InputField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Submit } from '../../components/submit.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { type PlanKind, planCalls, usePlanList } from '../../data/planning.ts'
import { filledBy, type Template, titleIn } from '../../data/templates.ts'
import { messages } from '../../messages/messages.ts'
import { TemplateChoice } from '../../templates/template-choice.tsx'

const texts = messages.planning

/** The kind of parent that a new record belongs to. */
const parentKinds: Readonly<Partial<Record<PlanKind, PlanKind>>> = { refinement: 'ideation', sprint: 'spec' }

interface AddDialogProps {
  readonly board: BoardListItem
  readonly kind: PlanKind
  readonly onClose: () => void
  /** Its parent, if that is fixed. */
  readonly parentId?: string
}

/** Creates a record from a title, and opens it for editing. */
export function AddDialog({ board, kind, onClose, parentId }: AddDialogProps) {
  const [, navigate] = useLocation()
  const parentKind = parentKinds[kind]
  const [template, setTemplate] = useState<Template>()
  const adding = useMutation({
    mutationFn: (fields: FormData) =>
      template === undefined
        ? planCalls[kind].create(board.id, String(fields.get('title')), parentId ?? String(fields.get('parent')))
        : client.createSpec({ ...filledBy(template, 'spec'), board_id: board.id, title: String(fields.get('title')) }),
    onSuccess: ({ ref }) => {
      onClose()
      navigate(addressOfRecord(kind, ref))
    },
  })
  return (
    <Dialog title={texts.add(texts.kinds[kind])} onClose={onClose}>
      <Form draft={`new-${kind}:${parentId ?? board.id}`} onSend={adding.mutateAsync}>
        {kind === 'spec' && (
          <TemplateChoice boardId={board.id} type="spec" chosen={template} hasLabel onChoose={setTemplate} />
        )}
        <InputField
          // The new key makes the field start with the title of the chosen template.
          key={template?.id}
          label={texts.newTitle}
          name="title"
          required
          maxLength={500}
          {...(template !== undefined && { defaultValue: titleIn(template) })}
        />
        {parentKind !== undefined && parentId === undefined && <Parents board={board} kind={parentKind} />}
        <Submit sending={adding}>{texts.create}</Submit>
      </Form>
    </Dialog>
  )
}

function Parents({ board, kind }: { readonly board: BoardListItem; readonly kind: PlanKind }) {
  const { data } = usePlanList(board.id, kind)
  return (
    <Choice
      // The new key renders the choice again once there are options, so that a kept value can be applied.
      key={String(data === undefined)}
      label={texts.of[kind]}
      name="parent"
      isRequired
      options={(data ?? []).map(({ id, ref, title }) => ({ value: id, label: `${ref} ${title}` }))}
    />
  )
}
