import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Confirm } from '../../components/confirm.tsx'
import { Input } from '../../components/input.tsx'
import { Property } from '../../components/property.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { againMs, graphKey, nodeTypes } from '../../data/knowledge.ts'
import { fixed, number } from '../../messages/format.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.knowledge.health

interface BoardProps {
  readonly board: BoardListItem
}

const again = { refetchInterval: againMs, staleTime: 0 }

/** The health of the graph, its settings, and buttons to rebuild it. */
export function Health({ board }: BoardProps) {
  const board_id = board.id
  const health = useQuery({
    queryKey: graphKey(board_id, 'health'),
    queryFn: () => client.getKgHealth({ board_id }),
    ...again,
  })
  const stats = useQuery({
    queryKey: graphKey(board_id, 'stats'),
    queryFn: () => client.getKgStats({ board_id }),
    ...again,
  })
  const error = health.error ?? stats.error
  if (error !== null) return <Failure error={error} />
  if (health.data === undefined || stats.data === undefined) return <p className="muted">{messages.shell.loading}</p>
  const { status, total_nodes, queue_depth, dead_letter_count, avg_relevance, last_decay_tick_at } = health.data
  const { node_counts_by_type, edge_counts_by_type, last_consolidation_at } = stats.data
  const edges = Object.values(edge_counts_by_type).reduce((sum, count) => sum + count, 0)
  const rows = nodeTypes.filter(type => (node_counts_by_type[type] ?? 0) > 0)
  return (
    <>
      <dl className="knowledge-figures numbers" aria-label={texts.figures}>
        <Property label={messages.knowledge.parts.health}>
          <span className={status === 'healthy' ? 'badge green' : 'badge red'}>{texts.status[status]}</span>
        </Property>
        <Property label={texts.nodes}>{number(total_nodes)}</Property>
        <Property label={texts.edges}>{number(edges)}</Property>
        <Property label={texts.waiting}>{number(queue_depth)}</Property>
        <Property label={texts.failed}>{number(dead_letter_count)}</Property>
        <Property label={texts.relevance}>{fixed(avg_relevance, 2)}</Property>
        <Property label={texts.last}>
          {last_consolidation_at === null ? texts.never : <Time at={last_consolidation_at} />}
        </Property>
        <Property label={texts.tick}>
          {last_decay_tick_at === null ? texts.never : <Time at={last_decay_tick_at} />}
        </Property>
      </dl>
      {rows.length > 0 && (
        <Table
          caption={texts.byType}
          rows={rows}
          keyOf={type => type}
          columns={[
            { label: messages.knowledge.type, cell: type => messages.knowledge.types[type] },
            { label: texts.count, isNumber: true, cell: type => node_counts_by_type[type] },
          ]}
        />
      )}
      <Settings board={board} />
      <Backfill board={board} />
    </>
  )
}

const switches = ['consolidation_enabled', 'contradiction_detection'] as const

function Settings({ board }: BoardProps) {
  const queries = useQueryClient()
  const queryKey = graphKey(board.id, 'settings')
  const { data } = useQuery({ queryKey, queryFn: () => client.getBoardKgSettings({ board_id: board.id }) })
  const changing = useMutation({
    mutationFn: async (change: Omit<Parameters<typeof client.putBoardKgSettings>[0], 'board_id'>) => {
      await client.putBoardKgSettings({ board_id: board.id, ...change })
      await queries.invalidateQueries({ queryKey })
    },
  })
  if (data === undefined) return null
  // Shows the chosen value while it is saved.
  const settings = changing.isPending ? { ...data, ...changing.variables } : data
  return (
    <section className="stack">
      <h2>{texts.settings}</h2>
      {switches.map(name => (
        <label key={name} className="row">
          <Input
            needs={['KG_ADMIN_SETTINGS']}
            type="checkbox"
            checked={settings[name]}
            onChange={event => changing.mutate({ [name]: event.target.checked })}
          />
          {texts[name]}
        </label>
      ))}
      <label className="field knowledge-retention">
        <span>{texts.retention}</span>
        <Input
          needs={['KG_ADMIN_SETTINGS']}
          key={data.audit_retention_days}
          className="input numbers"
          type="number"
          min={1}
          max={3650}
          placeholder={texts.forever}
          defaultValue={data.audit_retention_days ?? ''}
          onBlur={event => {
            const days = event.target.value === '' ? null : Number(event.target.value)
            if (days !== data.audit_retention_days) changing.mutate({ audit_retention_days: days })
          }}
        />
      </label>
      <Failure error={changing.error} />
    </section>
  )
}

/** Processes all records again, or empties the graph. */
function Backfill({ board }: BoardProps) {
  const queries = useQueryClient()
  const [isClearing, setClearing] = useState(false)
  const queryKey = graphKey(board.id, 'backfill')
  const { data } = useQuery({
    queryKey,
    queryFn: () => client.getKgBackfillProgress({ board_id: board.id }),
    ...again,
  })
  const changing = useMutation({
    mutationFn: async (change: 'start' | 'cancel') => {
      const named = { board_id: board.id }
      await (change === 'start' ? client.startKgBackfill(named) : client.cancelKgBackfill(named))
      await queries.invalidateQueries({ queryKey })
    },
  })
  const isRunning = data?.status === 'in_progress' || data?.status === 'paused'
  return (
    <section className="stack">
      <h2>{texts.backfill}</h2>
      <p className="muted">{texts.backfillLead}</p>
      {data !== undefined && data.total > 0 && (
        <p className="row numbers">
          <progress aria-label={texts.backfill} value={data.progress} max={data.total} />
          {texts.progress(data.progress, data.total)}
        </p>
      )}
      <Failure error={changing.error} />
      <div className="row wrap">
        <Button
          needs={['KG_ADMIN_BACKFILL']}
          disabled={changing.isPending}
          onClick={() => changing.mutate(isRunning ? 'cancel' : 'start')}
        >
          {isRunning ? texts.cancel : texts.start}
        </Button>
        <Button needs={['KG_ADMIN_DELETE']} onClick={() => setClearing(true)}>
          {texts.clear}
        </Button>
      </div>
      {isClearing && (
        <Confirm
          title={texts.clearTitle}
          lead={texts.clearLead}
          action={texts.clear}
          onConfirm={async () => {
            await client.deleteBoardKg({ board_id: board.id })
            await queries.invalidateQueries({ queryKey: keys.list(board.id, 'knowledge') })
          }}
          onClose={() => setClearing(false)}
        />
      )}
    </section>
  )
}
