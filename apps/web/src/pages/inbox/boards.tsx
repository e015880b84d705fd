import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { addressOfBoard } from '../../address.ts'
import { ActionButton } from '../../components/action-button.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { InputField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Submit } from '../../components/submit.tsx'
import { useBoards } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import type { Needs } from '../../data/needs.ts'
import demoArchive from '../../demo/demo.specboard.zip?url'
import { messages } from '../../messages/messages.ts'

const texts = messages.inbox

/** What it needs to import a board as a new one. */
const importing: Needs = ['BOARDS_IMPORT', 'BOARDS_CREATE']

const ImportForm = lazy(() => import('../../exchange/import-form.tsx'))

/** The boards with their counts; without one, the way to the first. */
export function Boards() {
  const { data: boards, error } = useBoards()
  const [isMaking, setMaking] = useState(false)
  const [isImporting, setImporting] = useState(false)
  return (
    <aside className="inbox-boards stack" aria-labelledby="inbox-boards">
      <h2 id="inbox-boards">{texts.boards}</h2>
      <Failure error={error} />
      <ul className="plain stack">
        {boards?.map(({ id, key, name, card_count, spec_count }) => (
          <li key={id}>
            <Link className="board-link" href={addressOfBoard(key)}>
              <strong>{name}</strong>
              <span className="muted numbers">
                {key} · {texts.cards(card_count)} · {texts.specs(spec_count)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {isMaking || boards?.length === 0 ? (
        <NewBoard isFirst={boards?.length === 0} />
      ) : (
        <Button needs={['BOARDS_CREATE']} onClick={() => setMaking(true)}>
          {texts.create}
        </Button>
      )}
      <Button needs={importing} onClick={() => setImporting(true)}>
        {texts.importBoard}
      </Button>
      {boards?.length === 0 && <DemoBoard />}
      {isImporting && (
        <Dialog title={texts.importBoard} onClose={() => setImporting(false)}>
          <Suspense fallback={<p>{messages.shell.loading}</p>}>
            <ImportForm />
          </Suspense>
        </Dialog>
      )}
    </aside>
  )
}

function NewBoard({ isFirst }: { readonly isFirst: boolean }) {
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const making = useMutation({
    mutationFn: async (form: FormData) => {
      const board = await client.createBoard({
        name: String(form.get('name')),
        description: String(form.get('description')),
      })
      await queries.invalidateQueries({ queryKey: keys.boards })
      navigate(addressOfBoard(board.key))
    },
  })
  return (
    <Form draft="new-board" onSend={making.mutateAsync}>
      {isFirst && (
        <div>
          <h3>{texts.firstBoard}</h3>
          <p className="muted">{texts.firstBoardLead}</p>
        </div>
      )}
      <InputField label={texts.boardName} name="name" required maxLength={255} />
      <InputField label={texts.boardDescription} name="description" />
      <Submit sending={making} needs={['BOARDS_CREATE']}>
        {texts.create}
      </Submit>
    </Form>
  )
}

/** Imports the board that comes with the program, for who wants to look around first. */
function DemoBoard() {
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const load = async () => {
    const archive = await (await fetch(demoArchive)).blob()
    const file = new File([archive], 'demo.specboard.zip', { type: 'application/zip' })
    const { key } = await client.importBoard({ file, keep_ids: false })
    await queries.invalidateQueries({ queryKey: keys.boards })
    if (key !== null) navigate(addressOfBoard(key))
  }
  return (
    <div className="stack">
      <p className="muted">{texts.demoBoardLead}</p>
      <ActionButton onAct={load} needs={importing}>
        {texts.demoBoard}
      </ActionButton>
    </div>
  )
}
