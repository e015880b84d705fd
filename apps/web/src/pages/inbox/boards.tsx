import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { addressOfBoard } from '../../address.ts'
import { ActionButton } from '../../components/action-button.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useDropZone } from '../../components/drop-zone.ts'
import { InputField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Icon } from '../../components/icon.tsx'
import { part } from '../../components/part.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Submit } from '../../components/submit.tsx'
import { type BoardListItem, useBoards, useKinds } from '../../data/boards.ts'
import { useCards } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import type { Needs } from '../../data/needs.ts'
import { useClosure, useMay } from '../../data/rights.ts'
import demoArchive from '../../demo/demo.specboard.zip?url'
import { droppedIn } from '../../exchange/dropped.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.inbox

/** The permissions needed to import a board as a new one. */
const importing: Needs = ['BOARDS_IMPORT', 'BOARDS_CREATE']

/** The initial state of the import form: the dropped files, if any. */
interface ImportStart {
  readonly dropped?: ReturnType<typeof droppedIn>
}

const ImportForm = part(() => import('../../exchange/import-form.tsx'))

/** The boards with their counts; if there are no boards, the ways to create the first one. */
export function Boards() {
  const { data: boards, error } = useBoards()
  const [isMaking, setMaking] = useState(false)
  const [importStart, setImportStart] = useState<ImportStart>()
  return (
    <>
      {boards?.length === 0 ? (
        <FirstRun onImport={setImportStart} />
      ) : (
        <section className="inbox-boards" aria-labelledby="inbox-boards">
          <h2 id="inbox-boards" className="inbox-group">
            {texts.boards}
          </h2>
          <Failure error={error} />
          <ul className="plain">
            {boards?.map(({ id, key, name, card_count, spec_count }) => (
              <li key={id}>
                <Link className="board-link" href={addressOfBoard(key)}>
                  <Icon name="board" />
                  <bdi className="truncate grow">{name}</bdi>
                  <span className="muted numbers">
                    {texts.cards(card_count)} · {texts.specs(spec_count)}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
          {isMaking ? (
            <NewBoard />
          ) : (
            <div className="row wrap board-ways">
              <Button className="button quiet" needs={['BOARDS_CREATE']} onClick={() => setMaking(true)}>
                <Icon name="plus" size={14} /> {texts.create}
              </Button>
              <Button className="button quiet" needs={importing} onClick={() => setImportStart({})}>
                {texts.importBoard}
              </Button>
            </div>
          )}
        </section>
      )}
      {/* It stays after the first board was created, to which it then leads. */}
      {importStart !== undefined && (
        <Dialog title={texts.importBoard} onClose={() => setImportStart(undefined)}>
          <ImportForm {...importStart} />
        </Dialog>
      )}
    </>
  )
}

interface FirstRunProps {
  readonly onImport: (start: ImportStart) => void
}

/** Creates a first board by an import: files or a folder can be dropped on it. */
function Bring({ onImport }: FirstRunProps) {
  const mayImport = useClosure(importing) === undefined
  const { isOver, zone } = useDropZone(
    transfer => onImport({ dropped: droppedIn(transfer) }),
    () => !mayImport,
  )
  return (
    <li className={isOver ? 'start over' : 'start'} {...zone}>
      <Icon name="file" size={20} />
      <h3>{texts.starts.bring}</h3>
      <p>{texts.starts.bringLead}</p>
      <Button needs={importing} onClick={() => onImport({})}>
        {texts.importBoard}
      </Button>
    </li>
  )
}

/**
 * The first steps with a first board, which are ticked automatically; the list disappears once all of them are done.
 */
export function FirstSteps({ board }: { readonly board: BoardListItem }) {
  const kinds = useKinds(board.id)
  const { data: cards } = useCards(board.id)
  if (kinds === undefined || cards === undefined) return null
  const hasAgent = [...kinds.values()].includes('agent')
  const hasDone = cards.some(({ status }) => status === 'done')
  return hasAgent && hasDone ? null : (
    <div className="first-after">
      <Steps done={[true, true, hasAgent, hasDone]} />
    </div>
  )
}

interface StepsProps {
  /** Which of the four steps are done. */
  readonly done: readonly [boolean, boolean, boolean, boolean]
}

const Steps = ({ done }: StepsProps) => (
  <>
    <h3 className="first-then">
      {texts.then.title}{' '}
      <span className="muted numbers">{texts.then.share(done.filter(Boolean).length, done.length)}</span>
    </h3>
    <ol className="plain lines first-steps">
      {([texts.then.signedIn, texts.then.board, texts.then.agent, texts.then.done] as const).map((says, place) => (
        <li key={says} className="line">
          {done[place] ? (
            <span className="step done">
              <Icon name="check" size={14} />
              <span className="hidden">{texts.then.isDone}</span>
            </span>
          ) : (
            <span className="step">{place + 1}</span>
          )}
          <span className={done[place] ? 'grow muted' : 'grow'}>
            {says} {says === texts.then.agent && <span className="muted">{texts.then.agentLead}</span>}
          </span>
          {says === texts.then.agent && !done[place] && (
            <Link className="button" href="/admin">
              {texts.then.connect}
            </Link>
          )}
        </li>
      ))}
    </ol>
  </>
)

/** The three ways to create a first board, and what comes after it. */
const FirstRun = ({ onImport }: FirstRunProps) => (
  <div className="first-run">
    <h2 className="first-title">{texts.firstBoard}</h2>
    <p className="first-lead">{texts.firstBoardLead}</p>
    <ul className="plain starts">
      <li className="start">
        <Icon name="plus" size={20} />
        <h3>{texts.starts.make}</h3>
        <p>{texts.starts.makeLead}</p>
        <NewBoard isShort />
      </li>
      <Bring onImport={onImport} />
      <li className="start">
        <Icon name="board" size={20} />
        <h3>{texts.starts.look}</h3>
        <p>{texts.demoBoardLead}</p>
        <DemoBoard />
      </li>
    </ul>
    <Steps done={[true, false, false, false]} />
  </div>
)

/** Creates a board; the short form only needs a name. */
function NewBoard({ isShort = false }: { readonly isShort?: boolean }) {
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const [granted, setGranted] = useState<readonly string[]>([])
  const [isReviewed, setReviewed] = useState<boolean>()
  // People who work alone approve their own work (people 1.3).
  const asksForReview = isReviewed ?? granted.length > 1
  const making = useMutation({
    mutationFn: async (form: FormData) => {
      const board = await client.createBoard({
        name: String(form.get('name')),
        description: String(form.get('description') ?? ''),
      })
      const board_id = board.id
      if (asksForReview) await client.updateBoard({ board_id, settings: { require_separate_reviewer: true } })
      for (const agent_id of granted) await client.grantBoardAccess({ board_id, agent_id })
      await queries.invalidateQueries({ queryKey: keys.boards })
      navigate(addressOfBoard(board.key))
    },
  })
  return (
    <Form draft="new-board" onSend={making.mutateAsync}>
      <InputField label={texts.boardName} name="name" required maxLength={255} />
      {!isShort && (
        <>
          <InputField label={texts.boardDescription} name="description" />
          <Granted granted={granted} onGrant={setGranted} />
          <label className="row">
            <input type="checkbox" checked={asksForReview} onChange={event => setReviewed(event.target.checked)} />
            {texts.separateReview}
          </label>
        </>
      )}
      <Submit sending={making} needs={['BOARDS_CREATE']}>
        {texts.create}
      </Submit>
    </Form>
  )
}

interface GrantedProps {
  readonly granted: readonly string[]
  readonly onGrant: (ids: readonly string[]) => void
}

/** The agents that work on a new board; nothing if there are none, or the person may not grant access. */
function Granted({ granted, onGrant }: GrantedProps) {
  const mayGrant = useMay('AGENTS_GRANT')
  const { data: all = [] } = useQuery({
    queryKey: keys.service('agents'),
    queryFn: async () => (await client.listAgents()).items,
    enabled: mayGrant,
  })
  const agents = all.filter(({ kind, is_active }) => kind === 'agent' && is_active)
  if (!mayGrant || agents.length === 0) return null
  return (
    <fieldset className="choices">
      <legend>{texts.boardAgents}</legend>
      {agents.map(({ id, name }) => (
        <label key={id} className="row">
          <input
            type="checkbox"
            checked={granted.includes(id)}
            onChange={({ target }) =>
              onGrant(target.checked ? [...granted, id] : granted.filter(other => other !== id))
            }
          />
          <bdi>{name}</bdi>
        </label>
      ))}
    </fieldset>
  )
}

/** Imports the demo board of the program, for people who want to look around first. */
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
    <ActionButton onAct={load} needs={importing}>
      {texts.demoBoard}
    </ActionButton>
  )
}
