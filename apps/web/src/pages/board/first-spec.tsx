import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { addressOfSpec } from '../../address.ts'
import { InputField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { isPlanStatus, PlanStatusBadge } from '../../components/plan-status.tsx'
import { Submit } from '../../components/submit.tsx'
import type { BoardListItem, SpecListItem } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { creating } from '../../data/needs.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.board.firstSpec

/** The statuses of a spec before approval. */
const unapproved: readonly string[] = ['draft', 'review']

interface FirstSpecProps {
  readonly board: BoardListItem
  /** The specs of the board, none of which accepts cards. */
  readonly specs: readonly SpecListItem[]
  readonly onClose: () => void
}

/** Helps to get a spec that accepts cards: lists the unapproved ones, or shows a form for the first. */
export default function FirstSpec({ board, specs, onClose }: FirstSpecProps) {
  const waiting = specs.filter(({ status }) => unapproved.includes(status))
  return (
    <div className="quick-add first-spec stack">
      <h3>{texts.title}</h3>
      {waiting.length === 0 ? <NewSpec board={board} onClose={onClose} /> : <Waiting board={board} specs={waiting} />}
      <div className="row">
        <button type="button" className="button quiet" onClick={onClose}>
          {messages.shell.cancel}
        </button>
      </div>
    </div>
  )
}

/** Creates a spec that accepts cards at once, from its title alone. */
function NewSpec({ board, onClose }: Omit<FirstSpecProps, 'specs'>) {
  const queries = useQueryClient()
  const making = useMutation({
    mutationFn: async (title: string) => {
      await client.createSpec({ board_id: board.id, title, status: 'approved' })
      await queries.invalidateQueries({ queryKey: keys.list(board.id, 'spec') })
    },
  })
  return (
    <Form
      draft={`new-spec:${board.id}`}
      aria-label={texts.title}
      onSend={fields => making.mutateAsync(String(fields.get('title')))}
      onKeyDown={event => event.key === 'Escape' && onClose()}
    >
      <p>{texts.why}</p>
      <InputField label={texts.name} name="title" required maxLength={500} placeholder={texts.placeholder} autoFocus />
      <p className="muted">{texts.approved}</p>
      <Submit sending={making} needs={creating('spec', 'approved')}>
        {texts.create}
      </Submit>
    </Form>
  )
}

const Waiting = ({ board, specs }: Omit<FirstSpecProps, 'onClose'>) => (
  <>
    <p>{texts.wait}</p>
    <ul className="plain stack">
      {specs.map(({ id, ref, title, status }) => (
        <li key={id}>
          <Link href={addressOfSpec(board.key, ref)}>
            {ref} <bdi>{title}</bdi>
          </Link>{' '}
          {isPlanStatus(status) && <PlanStatusBadge status={status} />}
        </li>
      ))}
    </ul>
  </>
)
