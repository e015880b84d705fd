import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useLocation } from 'wouter'
import { addressOfRecord } from '../../address.ts'
import { Dialog } from '../../components/dialog.tsx'
import { InputField } from '../../components/field.tsx'
import { Submit } from '../../components/submit.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { type PlanKind, planCalls, usePlanList } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.planning

/** What a new record of a kind belongs to. */
const parentKinds: Readonly<Partial<Record<PlanKind, PlanKind>>> = { refinement: 'ideation', sprint: 'spec' }

interface AddDialogProps {
  readonly board: BoardListItem
  readonly kind: PlanKind
  readonly onClose: () => void
  /** What it belongs to, if that is settled. */
  readonly parentId?: string
}

/** Makes a record of its title, and opens it to be written. */
export function AddDialog({ board, kind, onClose, parentId }: AddDialogProps) {
  const [, navigate] = useLocation()
  const parentKind = parentKinds[kind]
  const adding = useMutation({
    mutationFn: (fields: FormData) =>
      planCalls[kind].create(board.id, String(fields.get('title')), parentId ?? String(fields.get('parent'))),
    onSuccess: ({ ref }) => {
      onClose()
      navigate(addressOfRecord(kind, ref))
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    adding.mutate(new FormData(event.currentTarget))
  }
  return (
    <Dialog title={texts.add(texts.kinds[kind])} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <InputField label={texts.newTitle} name="title" required maxLength={500} />
        {parentKind !== undefined && parentId === undefined && <Parents board={board} kind={parentKind} />}
        <Submit sending={adding}>{texts.create}</Submit>
      </form>
    </Dialog>
  )
}

function Parents({ board, kind }: { readonly board: BoardListItem; readonly kind: PlanKind }) {
  const { data } = usePlanList(board.id, kind)
  return (
    <label className="field">
      <span>{texts.of[kind]}</span>
      <select className="input" name="parent" required>
        {data?.map(({ id, ref, title }) => (
          <option key={id} value={id}>
            {ref} {title}
          </option>
        ))}
      </select>
    </label>
  )
}
