import { ClientError } from '@specboard/client/calls'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { Button } from '../../components/button.tsx'
import { Confirm } from '../../components/confirm.tsx'
import { Empty } from '../../components/empty.tsx'
import { Linked } from '../../components/linked.tsx'
import { More } from '../../components/more.tsx'
import { Person } from '../../components/person.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Time } from '../../components/time.tsx'
import { type BoardListItem, useNameOf } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { graphKey } from '../../data/knowledge.ts'
import { saveFile } from '../../data/save-file.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.knowledge.sessions

type Session = Awaited<ReturnType<typeof client.listKgAudit>>['entries'][number]

interface BoardProps {
  readonly board: BoardListItem
}

/** The changes of the graph, each with a button to undo it. */
export function Sessions({ board }: BoardProps) {
  const [undone, setUndone] = useState<Session>()
  const listed = useInfiniteQuery({
    queryKey: graphKey(board.id, 'sessions'),
    queryFn: ({ pageParam }) =>
      client.listKgAudit({ board_id: board.id, ...(pageParam !== '' && { cursor: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: last => last.next_cursor,
    staleTime: 0,
  })
  const { data, error } = listed
  if (error !== null) return <Failure error={error} />
  if (data === undefined) return <p className="muted">{messages.shell.loading}</p>
  const sessions = data.pages.flatMap(({ entries }) => entries)
  if (sessions.length === 0) return <Empty title={texts.empty} lead={messages.knowledge.emptyLead} />
  return (
    <>
      <p className="row wrap">
        <span className="muted grow">{texts.lead}</span>
        <ActionButton onAct={async () => saveFile(await client.exportKgAudit({ board_id: board.id, format: 'csv' }))}>
          {texts.export}
        </ActionButton>
      </p>
      <ol className="plain">
        {sessions.map(session => (
          <SessionView key={session.session_id} board={board} session={session} onUndo={() => setUndone(session)} />
        ))}
      </ol>
      <More of={listed} label={messages.knowledge.older} />
      {undone !== undefined && <UndoDialog board={board} session={undone} onClose={() => setUndone(undefined)} />}
    </>
  )
}

/** What a session did: in the page's words if the service did it, otherwise in its author's. */
function summaryOf({ summary_text: summary }: Session): string {
  const [, kind = '', title = ''] = /^Consolidation of (\w+) '(.*)'$/s.exec(summary) ?? []
  if (kind !== '') return texts.takenFrom(texts.kinds[kind] ?? kind, title)
  const boost = /^Boost \+0\.3(?:: (.*))?$/s.exec(summary)
  return boost === null ? summary : texts.boosted(boost[1])
}

/** The changes of a session, in words: nodes are left out if only edges changed. */
function changesOf(session: Session): readonly string[] {
  const { nodes_added, nodes_updated, nodes_removed, edges_added, edges_removed } = session
  const isChanged = nodes_added + nodes_updated + nodes_removed > 0
  const isConnected = edges_added + edges_removed > 0
  return [
    ...(isChanged || !isConnected ? [texts.changes(nodes_added, nodes_updated, nodes_removed)] : []),
    ...(isConnected ? [texts.connections(edges_added, edges_removed)] : []),
  ]
}

interface SessionViewProps extends BoardProps {
  readonly session: Session
  readonly onUndo: () => void
}

function SessionView({ board, session, onUndo }: SessionViewProps) {
  const nameOf = useNameOf(board.id)
  return (
    <li className="knowledge-session">
      <span className="grow">
        <Linked text={summaryOf(session)} />
        <span className="muted knowledge-changes">{changesOf(session).join(' · ')}</span>
      </span>
      {session.agent_id !== 'system:consolidation' && <Person name={nameOf(session.agent_id)} />}
      <span className="muted">
        <Time at={session.committed_at} />
      </span>
      {session.undo_status === 'undone' ? (
        <span className="badge">{texts.undone}</span>
      ) : (
        <Button needs={['KG_ADMIN_DELETE']} aria-label={texts.undoOf(summaryOf(session))} onClick={onUndo}>
          {texts.undo}
        </Button>
      )}
    </li>
  )
}

interface UndoDialogProps extends BoardProps {
  readonly session: Session
  readonly onClose: () => void
}

/** Asks before a session is undone; if later ones build on it, asks again. */
function UndoDialog({ board, session, onClose }: UndoDialogProps) {
  const queries = useQueryClient()
  const [isBlocked, setBlocked] = useState(false)
  const undo = async () => {
    try {
      await client.undoKgSession({ board_id: board.id, session_id: session.session_id, force: isBlocked })
    } catch (error) {
      setBlocked(error instanceof ClientError && error.code === 'UNDO_BLOCKED')
      throw error
    }
    await queries.invalidateQueries({ queryKey: graphKey(board.id, 'sessions') })
  }
  return (
    <Confirm
      title={texts.undoTitle}
      lead={summaryOf(session)}
      action={isBlocked ? texts.force : texts.undo}
      onConfirm={undo}
      onClose={onClose}
    >
      <p className="muted">{texts.undoLead}</p>
    </Confirm>
  )
}
