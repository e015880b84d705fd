import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ActionButton } from '../../components/action-button.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { toast } from '../../components/toast.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { againMs, graphKey } from '../../data/knowledge.ts'
import { messages } from '../../messages/messages.ts'
import { RecordLink } from './parts.tsx'

const texts = messages.knowledge.queue

type Levels = Awaited<ReturnType<typeof client.getKgPendingTree>>['levels']
type Level = keyof Levels
type State = keyof Levels[Level]

const levels = Object.keys(texts.kinds) as Level[]
const states = Object.keys(texts.states) as State[]

/** How many entries are shown; more are counted above. */
const shownAtOnce = 20

/** The records that wait to be processed into the graph, and the failed ones. */
export function Queue({ board }: { readonly board: BoardListItem }) {
  const board_id = board.id
  const again = { refetchInterval: againMs, staleTime: 0 }
  const tree = useQuery({
    queryKey: graphKey(board_id, 'levels'),
    queryFn: () => client.getKgPendingTree({ board_id, depth: 1 }),
    ...again,
  })
  const waiting = useQuery({
    queryKey: graphKey(board_id, 'pending'),
    queryFn: () => client.listKgPending({ board_id, limit: shownAtOnce }),
    ...again,
  })
  const failed = useQuery({
    queryKey: graphKey(board_id, 'failed'),
    queryFn: () => client.listKgDeadLetters({ board_id, limit: shownAtOnce }),
    ...again,
  })
  const error = tree.error ?? waiting.error ?? failed.error
  if (error !== null) return <Failure error={error} />
  if (tree.data === undefined || waiting.data === undefined) return <p className="muted">{messages.shell.loading}</p>
  const counts = tree.data.levels
  return (
    <>
      <Table
        caption={texts.levels}
        rows={levels}
        keyOf={level => level}
        columns={[
          { label: texts.kind, cell: level => texts.kinds[level] },
          ...states.map(state => ({
            label: texts.states[state],
            isNumber: true,
            cell: (level: Level) =>
              counts[level][state] === 0 ? <span className="muted">0</span> : counts[level][state],
            isUsual: (level: Level) => counts[level][state] === 0,
          })),
        ]}
      />
      <h2>{texts.waiting}</h2>
      {waiting.data.entries.length === 0 && <p className="muted">{texts.nothingWaits}</p>}
      {waiting.data.entries.length > 0 && (
        <Table
          caption={texts.waiting}
          rows={waiting.data.entries}
          keyOf={entry => entry.id}
          columns={[
            { label: texts.record, cell: entry => <RecordLink kind={entry.artifact_type} id={entry.artifact_id} /> },
            { label: texts.status, cell: entry => texts.statuses[entry.status] },
            { label: texts.since, cell: entry => <Time at={entry.triggered_at} /> },
            { label: texts.attempts, isNumber: true, cell: entry => entry.attempts },
            { label: texts.error, cell: entry => entry.last_error ?? '' },
            { label: texts.action, cell: entry => <Retry board={board} entryId={entry.id} /> },
          ]}
        />
      )}
      {failed.data !== undefined && failed.data.rows.length > 0 && (
        <>
          <h2>{texts.failed}</h2>
          <Table
            caption={texts.failed}
            rows={failed.data.rows}
            keyOf={letter => letter.id}
            columns={[
              {
                label: texts.record,
                cell: letter => <RecordLink kind={letter.artifact_type} id={letter.artifact_id} />,
              },
              { label: texts.since, cell: letter => <Time at={letter.dead_lettered_at} /> },
              { label: texts.attempts, isNumber: true, cell: letter => letter.attempts },
              { label: texts.error, cell: letter => letter.errors.at(-1)?.message ?? '' },
              { label: texts.action, cell: letter => <Retry board={board} entryId={letter.id} /> },
            ]}
          />
        </>
      )}
    </>
  )
}

interface RetryProps {
  readonly board: BoardListItem
  readonly entryId: string
}

function Retry({ board, entryId }: RetryProps) {
  const queries = useQueryClient()
  const retry = async () => {
    const retried = await client.retryKgPending({ board_id: board.id, queue_entry_id: entryId })
    toast(texts.retried(retried.reopened_count))
    for (const part of ['levels', 'pending', 'failed'])
      void queries.invalidateQueries({ queryKey: graphKey(board.id, part) })
  }
  return (
    <ActionButton needs={['KG_ADMIN_BACKFILL']} onAct={retry}>
      {texts.retry}
    </ActionButton>
  )
}
