import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { Dialog } from '../components/dialog.tsx'
import { InputField } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { Input } from '../components/input.tsx'
import { Submit } from '../components/submit.tsx'
import { toast } from '../components/toast.tsx'
import type { BoardListItem } from '../data/boards.ts'
import { client } from '../data/client.ts'
import { keys } from '../data/keys.ts'
import { viewName } from '../data/view-address.ts'
import type { View } from '../data/views.ts'
import { messages } from '../messages/messages.ts'

const texts = messages.views

interface ViewDialogProps {
  readonly board: BoardListItem
  /** The view to edit; without it, a new one is created. */
  readonly view: View | undefined
  readonly page: string
  readonly query: string
  readonly onClose: () => void
}

/** Sets the name of a view and who sees it. */
export default function ViewDialog({ board, view, page, query, onClose }: ViewDialogProps) {
  const queries = useQueryClient()
  const [, setQuery] = useSearchParams()
  const saving = useMutation({
    mutationFn: async (fields: FormData) => {
      const name = String(fields.get('name'))
      const saved =
        view === undefined
          ? await client.createView({ board_id: board.id, name, page, query, shared: fields.has('shared') })
          : await client.updateView({ view_id: view.id, name })
      await queries.invalidateQueries({ queryKey: keys.list(board.id, 'views') })
      return saved
    },
    onSuccess: ({ id, name }) => {
      onClose()
      toast(texts.saved(name))
      setQuery(now => {
        const next = new URLSearchParams(now)
        next.set(viewName, id)
        return next
      })
    },
  })
  return (
    <Dialog title={view === undefined ? texts.newView : texts.renameOf(view.name)} onClose={onClose}>
      <Form draft={view === undefined ? `new-view:${board.id}` : `view:${view.id}:name`} onSend={saving.mutateAsync}>
        <InputField label={texts.name} name="name" required maxLength={100} defaultValue={view?.name} />
        {view === undefined && (
          <label className="row">
            <Input type="checkbox" name="shared" needs={['BOARDS_UPDATE']} />
            {texts.forAll(board.name)}
          </label>
        )}
        <Submit sending={saving}>{messages.shell.save}</Submit>
      </Form>
    </Dialog>
  )
}
